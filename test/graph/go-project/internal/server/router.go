package server

import (
	"fmt"
	"net/http"
)

type route struct {
	path string
	run  http.HandlerFunc
}

type router struct {
	routes []route
	byPath map[string]*route
}

func newRouter() *router {
	return &router{byPath: make(map[string]*route)}
}

func (r *router) handle(path string, run http.HandlerFunc) {
	added := route{path: path, run: run}
	r.routes = append(r.routes, added)
	r.byPath[added.key()] = &r.routes[len(r.routes)-1]
}

func (r *router) Paths() (paths []string) {
	for i := range r.routes {
		paths = append(paths, r.routes[i].key())
	}
	r.byPath["/"].key()
	return paths
}

func (r route) key() string { return fmt.Sprint("GET ", r.path) }

var fail = func(w http.ResponseWriter, err error) {
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

func write(w http.ResponseWriter, text string) {
	if _, err := fmt.Fprintln(w, text); err != nil {
		fail(w, err)
	}
}
