package state

import (
	"slices"
	"strings"
)

// A region is the types of the objects to which a field can lead: classes of the JDK whose objects can be changed, classes of the project, and arrays.
type region struct {
	classes []int32
	arrays  Elements
	open    bool    // there may be objects of any type
	objects bool    // objects of the project in it have fields that may hold anything
	named   bool    // the type of the field itself names them
	utils   bool    // there are collections or maps, which can be changed through other objects
	inside  *region // the same without the object in the field itself
}

// A changed is a type of objects that are changed: a class by its number; an array by its kind of elements, as minus one minus the number of the bit.
type changed = int32

// moved stands for what has a place of its own in something else, such as an iterator, that is changed only by moving on.
const moved changed = -9

// deep is how many fields a region follows from object to object.
const deep = 4

// regionOf is what a static field can lead to by its type.
func (c *cells) regionOf(f *cell) (*region, error) {
	if f.region != nil {
		return f.region, nil
	}
	signature := f.descriptor
	if d := c.types[f.owner].field(f); d != nil {
		signature = d.Signature
		switch {
		case d.Bare:
			signature = ""
		case d.Made != "" && d.Signature == d.Descriptor:
			signature = "L" + d.Made + ";"
		}
	}
	types, open := contents(signature)
	f.region = &region{open: open, inside: &region{open: open}}
	for i, name := range types {
		utils := strings.HasPrefix(name, "java/util/")
		f.region.named, f.region.inside.named = f.region.named || utils, f.region.inside.named || utils && i > 0
		if err := c.lead(f.region, name, deep); err != nil {
			return nil, err
		}
		if err := c.captured(f.region, name); err != nil {
			return nil, err
		}
		if err := c.captured(f.region.inside, name); err != nil {
			return nil, err
		}
		if i == 0 {
			continue
		}
		if err := c.lead(f.region.inside, name, deep); err != nil {
			return nil, err
		}
	}
	return f.region, nil
}

// field finds the declaration of a cell; nil if it is not known.
func (t *typeNode) field(of *cell) *Field {
	return t.declared(of.label[strings.LastIndexByte(of.label, '.')+1:], of.descriptor)
}

// declared finds a field by name and descriptor; nil if it is not known.
func (t *typeNode) declared(name, descriptor string) *Field {
	if t.class == nil {
		return nil
	}
	at := slices.IndexFunc(t.class.Fields, func(f Field) bool { return f.Name == name && f.Descriptor == descriptor })
	if at < 0 {
		return nil
	}
	return &t.class.Fields[at]
}

// lead adds a type, as class constants name it, with what objects of it lead to.
func (c *cells) lead(r *region, name string, depth int) error {
	if name == "" {
		return nil
	}
	if name[0] == '[' {
		r.arrays |= elementsOf(name)
		return nil
	}
	class, err := c.typeOf(name)
	if err != nil {
		return err
	}
	t := c.types[class]
	if t.jdk && !holdsMore("L"+name+";") || slices.Contains(r.classes, class) {
		return nil
	}
	r.classes = append(r.classes, class)
	r.utils = r.utils || strings.HasPrefix(name, "java/util/")
	if t.jdk || depth == 0 {
		return nil
	}
	if err := c.fieldsOf(r, class, depth-1); err != nil {
		return err
	}
	for _, sub := range c.subtypes(class) {
		if err := c.fieldsOf(r, sub, depth-1); err != nil {
			return err
		}
	}
	return nil
}

// captured adds what functions of a type lead to: what they have captured.
func (c *cells) captured(r *region, class string) error {
	for _, f := range c.made {
		if f.Interface != class {
			continue
		}
		for _, t := range f.Captures {
			types, open := contents(t)
			r.open = r.open || open
			for _, name := range types {
				if err := c.lead(r, name, deep); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// fieldsOf adds what the fields of objects of a class lead to.
func (c *cells) fieldsOf(r *region, class int32, depth int) error {
	for _, up := range c.types[class].above {
		t := c.types[up]
		if t.class == nil || t.jdk {
			continue
		}
		for i := range t.class.Fields {
			if t.class.Fields[i].Static {
				continue
			}
			types, _ := contents(t.class.Fields[i].Signature)
			r.objects = r.objects || t.class.Fields[i].Descriptor == "Ljava/lang/Object;"
			for _, name := range types {
				if err := c.lead(r, name, depth); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// affects tells whether a region can have objects of a type, or ones that are changed with them.
func (c *cells) affects(t changed, r *region) bool {
	switch {
	case r.open:
		return true
	case t == moved:
		return slices.ContainsFunc(r.classes, func(x int32) bool { return advances(c.types[x].name) })
	case t < 0:
		return r.arrays&(1<<(-1-t)) != 0
	}
	if slices.ContainsFunc(r.classes, func(x int32) bool { return c.isA(x, t) || c.isA(t, x) }) {
		return true
	}
	return c.types[t].jdk && c.wraps(c.types[t].name, r)
}

// affectsInside tells whether something in the object of a field can be of a type, or whether the object itself is changed through such a thing.
func (c *cells) affectsInside(t changed, r *region) bool {
	if c.affects(t, r.inside) {
		return true
	}
	return t >= 0 && r.utils && slices.Contains(views, c.types[t].name) && (r.named || c.types[t].name != "java/util/Iterator")
}

// wraps tells whether objects of a class of the JDK can stand for something of a region.
func (c *cells) wraps(name string, r *region) bool {
	switch {
	case strings.HasPrefix(name, "java/nio/"):
		return r.arrays != 0 || c.beside(name, r)
	case strings.HasPrefix(name, "java/io/") || name == "java/util/Formatter":
		return r.arrays != 0 || slices.ContainsFunc(r.classes, func(x int32) bool {
			return strings.HasPrefix(c.types[x].name, "java/io/") || slices.Contains(builders, c.types[x].name)
		})
	case name == "java/util/List" || name == "java/util/ListIterator":
		return r.utils || r.arrays&(1<<4) != 0
	}
	return slices.Contains(views, name) && r.utils && (r.named || name != "java/util/Iterator") || c.beside(name, r)
}

// beside tells whether a region has a class of the JDK in the package of another one, such as the nodes of a document: one is got from the other, and changed through it. General packages are of many things that do not belong together.
func (c *cells) beside(name string, r *region) bool {
	in := name[:strings.LastIndexByte(name, '/')+1]
	return !slices.Contains([]string{"java/lang/", "java/util/", "java/io/", "java/util/concurrent/", "java/util/concurrent/atomic/", "java/util/function/"}, in) &&
		slices.ContainsFunc(r.classes, func(x int32) bool { return strings.HasPrefix(c.types[x].name, in) && c.types[x].jdk })
}

// overlap tells whether an object in one of two static fields can be one to which the other leads.
func (c *cells) overlap(a, b *cell) (bool, error) {
	in, err := c.leadsTo(a, b)
	if err != nil || in {
		return in, err
	}
	return c.leadsTo(b, a)
}

// leadsTo tells whether a static field can lead to the object in another one that can be changed.
func (c *cells) leadsTo(a, b *cell) (bool, error) {
	r, err := c.regionOf(a)
	if err != nil {
		return false, err
	}
	s, err := c.regionOf(b)
	if err != nil || len(s.classes) == 0 && s.arrays == 0 {
		return false, err
	}
	if b.descriptor[0] == '[' {
		return r.open || r.arrays&elementsOf(b.descriptor) != 0, nil
	}
	class, err := c.typeOf(fieldClass(b.descriptor))
	return err == nil && c.affects(class, r) && c.changeable(b), err
}

// changeable tells whether the object in a static field has something that can be changed: not if it is an object of the project without fields that are written.
func (c *cells) changeable(f *cell) bool {
	if d := c.types[f.owner].field(f); d != nil && d.Made != "" {
		if made, known := c.classes[d.Made]; known && !c.types[made].jdk {
			return c.hasChangingField(made)
		}
	}
	class, known := c.classes[fieldClass(f.descriptor)]
	if !known || c.types[class].jdk {
		return !f.empty
	}
	return c.alterable(class)
}

// alterable tells whether objects of a class of the program, or of a subtype, have something that can be changed.
func (c *cells) alterable(class int32) bool {
	can, ok := c.alters[class]
	if !ok {
		can = slices.ContainsFunc(append(c.subtypes(class), class), c.hasChangingField)
		c.alters[class] = can
	}
	return can
}

// hasChangingField tells whether objects of a class have a field that is written after they were made, or that leads to something that can be changed.
func (c *cells) hasChangingField(class int32) bool {
	return slices.ContainsFunc(c.types[class].above, func(up int32) bool {
		t := c.types[up]
		return t.class != nil && !t.jdk && slices.ContainsFunc(t.class.Fields, func(f Field) bool {
			return !f.Static && (!f.Final || holdsMore(f.Descriptor) || f.Descriptor == "Ljava/lang/Object;" || f.Descriptor[0] == 'L' && !strings.HasPrefix(f.Descriptor, "Ljava/"))
		})
	})
}
