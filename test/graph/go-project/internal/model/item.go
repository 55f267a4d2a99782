package model

import (
	"fmt"
	"strings"
)

// Kind says what an item is.
type Kind int

const (
	Book Kind = iota
	Tool
	Toy
)

const maxName = 64

// String names the kind.
func (k Kind) String() string {
	switch k {
	case Book:
		return "book"
	case Tool:
		return "tool"
	}
	return fmt.Sprintf("kind(%d)", int(k))
}

// Next names the kind after this one.
func (k Kind) Next() string {
	next := k + 1
	return next.String()
}

// Item is something that is kept.
type Item struct {
	Meta
	ID    string
	Name  string
	Kind  Kind
	Price Price
	tags  map[string]*Tag
}

// NewItem makes an item with a tidy name.
func NewItem(id, name string, kind Kind) (*Item, error) {
	item := &Item{ID: id, Name: tidy(name), Kind: kind, tags: map[string]*Tag{}}
	if err := item.Check(); err != nil {
		return nil, err
	}
	return item, nil
}

// Check says what is wrong with the item.
func (i *Item) Check() error {
	if i.ID == "" {
		return &FieldError{Field: "id"}
	}
	if len(i.Name) > maxName {
		return &FieldError{"name", "too long"}
	}
	return i.Price.check()
}

// Tag adds a tag and returns it.
func (i *Item) Tag(name string) *Tag {
	tag, ok := i.tags[name]
	if !ok {
		tag = &Tag{Name: name}
		i.tags[name] = tag
	}
	tag.Touch()
	return tag
}

func (i *Item) Tags() []*Tag {
	var all []*Tag
	for _, tag := range i.tags {
		tag.Touch()
		all = append(all, tag)
	}
	return all
}

func tidy(name string) string {
	return strings.TrimSpace(name)
}
