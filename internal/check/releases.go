package check

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"winnow/internal/check/campaign"
	"winnow/internal/check/subject"
)

// mostSource bounds what is unpacked of one published source.
const mostSource = 16 << 20

// published makes an evolving program of releases whose sources and test sources are published.
func (b *Builder) published(ctx context.Context, r campaign.Release, dependencies string) (*MavenProgram, error) {
	var all []map[string]string
	for _, version := range r.Versions {
		files := map[string]string{}
		for kind, to := range map[string]string{"sources": "src/main", "test-sources": "src/test"} {
			archive, err := b.fetch(ctx, r, version, kind)
			if err != nil {
				return nil, err
			}
			if err := unpack(archive, to, files); err != nil {
				return nil, err
			}
		}
		all = append(all, files)
	}
	return releases(r.Artifact, all, dependencies), nil
}

// fetch gets one archive.
func (b *Builder) fetch(ctx context.Context, r campaign.Release, version, kind string) (string, error) {
	dir := filepath.Join(b.Dir, "releases")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	if err := subject.CopyArtifact(ctx, strings.Join([]string{r.Group, r.Artifact, version, "jar", kind}, ":"), dir); err != nil {
		return "", err
	}
	return filepath.Join(dir, fmt.Sprintf("%s-%s-%s.jar", r.Artifact, version, kind)), nil
}

// unpack adds the files of an archive of sources.
func unpack(archive, to string, files map[string]string) error {
	z, err := zip.OpenReader(archive)
	if err != nil {
		return fmt.Errorf("%s: %w", archive, err)
	}
	defer z.Close() // it was only read
	for _, f := range z.File {
		if f.FileInfo().IsDir() || strings.HasPrefix(f.Name, "META-INF/") || !filepath.IsLocal(f.Name) {
			continue
		}
		text, err := readEntry(f)
		if err != nil {
			return fmt.Errorf("%s: %s: %w", archive, f.Name, err)
		}
		place := "resources"
		if path.Ext(f.Name) == ".java" {
			place = "java"
		}
		files[path.Join(to, place, f.Name)] = text
	}
	return nil
}

func readEntry(f *zip.File) (string, error) {
	r, err := f.Open()
	if err != nil {
		return "", err
	}
	defer r.Close() // it was only read
	data, err := io.ReadAll(io.LimitReader(r, mostSource+1))
	if err == nil && len(data) > mostSource {
		err = fmt.Errorf("it is larger than %d bytes", mostSource)
	}
	return string(data), err
}
