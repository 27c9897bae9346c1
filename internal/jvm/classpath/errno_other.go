//go:build !unix

package classpath

// isNoPath is false: a path that is not possible is an error here, or does not exist.
func isNoPath(error) bool { return false }

// isLoop is false: links that lead to each other stay an error here.
func isLoop(error) bool { return false }
