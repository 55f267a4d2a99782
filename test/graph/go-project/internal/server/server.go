package server

import (
	"context"
	"net/http"
	"time"

	"example.com/clock"
	"example.com/depot/internal/event"
	"example.com/depot/internal/model"
	st "example.com/depot/internal/store"
)

// Server answers requests about items.
type Server struct {
	*router
	store   st.Store
	clock   clock.Clock
	started time.Time
	seen    *event.Bus[*model.Item]
}

// New makes a server; handlers are added at once.
func New(store st.Store, c clock.Clock) *Server {
	s := &Server{router: newRouter(), store: store, clock: c, seen: event.NewBus[*model.Item]()}
	s.started = c.Now()
	s.handle("/items", s.list)
	s.handle("/item", s.one)
	s.seen.Listen(func(item *model.Item) { item.Touch() })
	return s
}

func (s *Server) age() time.Duration { return clock.Since(s.clock, s.started) }

func (s *Server) list(w http.ResponseWriter, r *http.Request) {
	items, err := s.store.List(r.Context())
	if err != nil {
		fail(w, err)
		return
	}
	names := event.Map(items, func(item *model.Item) string { return label(item) })
	for _, name := range names {
		write(w, name)
	}
	for _, item := range items {
		for _, tag := range item.Tags() {
			write(w, tag.Name)
			tag.Touch()
		}
	}
	s.seen.Last().Check()
}

func (s *Server) one(w http.ResponseWriter, r *http.Request) {
	item, err := s.find(r.Context(), r.URL.Query().Get("id"))
	switch e := err.(type) {
	case nil:
		write(w, label(item))
	case *model.FieldError:
		write(w, e.Error())
	default:
		fail(w, e)
	}
}

func (s *Server) find(ctx context.Context, id string) (item *model.Item, err error) {
	item, err = s.store.Get(ctx, id)
	if checked, ok := err.(*model.FieldError); ok {
		_ = checked.Error()
	}
	return
}

func label(item *model.Item) string {
	return item.Kind.String() + " " + item.Name
}
