// Package store keeps items.
package store

import (
	"context"

	"example.com/depot/internal/model"
)

// Reader finds items.
type Reader interface {
	Get(ctx context.Context, id string) (*model.Item, error)
	List(ctx context.Context) ([]*model.Item, error)
}

// Store finds and keeps items.
type Store interface {
	Reader
	Put(ctx context.Context, item *model.Item) error
}

// Option changes how a store works.
type Option func(*Memory)

// WithLimit bounds the number of items.
func WithLimit(n int) Option {
	return func(m *Memory) {
		m.limit = n
		m.grow(n)
	}
}

// Open makes a store.
func Open(options ...Option) (Store, error) {
	m := newMemory()
	for _, option := range options {
		option(m)
	}
	return m, nil
}

// Total adds all prices.
func Total(ctx context.Context, r Reader) (model.Price, error) {
	items, err := r.List(ctx)
	if err != nil {
		return model.Price{}, err
	}
	var sum model.Price
	for _, item := range items {
		sum = sum.Add(item.Price)
	}
	return sum, nil
}
