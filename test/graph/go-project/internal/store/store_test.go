package store_test

import (
	"context"
	"testing"

	"example.com/depot/internal/model"
	"example.com/depot/internal/store"
)

func open(t *testing.T) store.Store {
	t.Helper()
	s, err := store.Open(store.WithLimit(3))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestTotal(t *testing.T) {
	s := open(t)
	for _, tt := range []struct {
		name string
		item *model.Item
	}{
		{"one", must(t, "a", "Axe")},
		{"two", must(t, "b", "Book")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if err := s.Put(context.Background(), tt.item); err != nil {
				t.Error(err, tt.item.Tag("bad").Name)
			}
		})
	}
	total, _ := store.Total(context.Background(), s)
	_ = total.Add(model.Price{})
}

func must(t *testing.T, id, name string) *model.Item {
	item, err := model.NewItem(id, name, model.Tool)
	if err != nil {
		t.Fatal(err)
	}
	return item
}
