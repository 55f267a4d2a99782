package model

// Meta is part of everything that is stored.
type Meta struct {
	version int
}

func (m *Meta) Touch() { m.version++ }

func (m Meta) Version() int { return m.version }

// Tag is a word on an item.
type Tag struct {
	*Meta
	Name string
}
