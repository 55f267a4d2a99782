package store

import (
	"context"
	stdsync "sync"

	"example.com/depot/internal/event"
	. "example.com/depot/internal/model"
)

// Memory keeps items in memory.
type Memory struct {
	mu      stdsync.Mutex
	items   map[string]*Item
	limit   int
	changed *event.Bus[*Item]
}

var _ Store = (*Memory)(nil)

func newMemory() *Memory {
	return &Memory{items: make(map[string]*Item), changed: event.NewBus[*Item]()}
}

func (m *Memory) grow(n int) {
	if n > len(m.items) {
		m.limit = n
	}
}

func (m *Memory) Get(ctx context.Context, id string) (*Item, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if item, ok := m.items[id]; ok {
		item.Touch()
		return item, nil
	}
	return nil, &FieldError{Field: id}
}

func (m *Memory) List(ctx context.Context) ([]*Item, error) {
	var all []*Item
	m.each(func(item *Item) { all = append(all, item) })
	return all, nil
}

func (m *Memory) Put(ctx context.Context, item *Item) error {
	if err := item.Check(); err != nil {
		return err
	}
	m.items[item.ID] = item
	go m.changed.Send(item)
	if m.path() == "" {
		return nil
	}
	return flush(m)
}

func (m *Memory) each(visit func(*Item)) {
	for id := range m.items {
		visit(m.items[id])
	}
}
