// Package event passes values on.
package event

import "sync"

// Bus passes values of one type to handlers.
type Bus[T any] struct {
	mu       sync.Mutex
	handlers []Handler[T]
	last     Optional[T]
}

// Handler takes a value.
type Handler[T any] func(T)

// NewBus makes a bus without handlers.
func NewBus[T any]() *Bus[T] {
	return &Bus[T]{}
}

func (b *Bus[T]) Listen(h Handler[T]) { b.handlers = append(b.handlers, h) }

func (b *Bus[T]) Send(value T) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last.Set(value)
	for _, h := range b.handlers {
		h(value)
	}
}

// Last is what was sent last.
func (b *Bus[T]) Last() T { return b.last.value }

// Optional may hold a value.
type Optional[V any] struct {
	value V
	set   bool
}

func (o *Optional[V]) Set(v V) { o.value, o.set = v, true }

// Map changes each value.
func Map[A, B any](list []A, change func(A) B) []B {
	out := make([]B, 0, len(list))
	for _, a := range list {
		out = append(out, change(a))
	}
	return out
}
