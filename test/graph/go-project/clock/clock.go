// Package clock tells the time, also in tests.
package clock

import "time"

// Clock tells the time.
type Clock interface {
	Now() time.Time
}

type system struct{}

func (system) Now() time.Time { return time.Now() }

// System is the clock of the machine.
func System() Clock { return system{} }

// Fixed always tells the same time.
type Fixed struct {
	At time.Time
}

func (f Fixed) Now() time.Time { return f.At }

// Since is how long ago t was.
func Since(c Clock, t time.Time) time.Duration {
	return c.Now().Sub(t)
}
