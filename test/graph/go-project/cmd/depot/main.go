package main

import (
	"fmt"
	"net/http"
	"os"

	"example.com/clock"
	"example.com/depot/internal/server"
	"example.com/depot/internal/store"
	"github.com/google/uuid"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	fmt.Println(uuid.NewString())
	s, err := store.Open(store.WithLimit(100))
	if err != nil {
		return err
	}
	srv := server.New(s, clock.System())
	for _, path := range srv.Paths() {
		http.HandleFunc(path, http.NotFound)
	}
	return serve(srv, args)
}
