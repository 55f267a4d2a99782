package model

import "errors"

// ErrPrice is returned for prices below zero.
var ErrPrice = errors.New("price below zero")

// Price is in cents.
type Price struct {
	Cents    int64
	Currency Currency
}

type Currency string

func (p Price) check() error {
	if p.Cents < 0 {
		return ErrPrice
	}
	return nil
}

// Add adds prices of one currency.
func (p Price) Add(q Price) Price {
	return Price{Cents: p.Cents + q.Cents, Currency: p.Currency.or(q.Currency)}
}

func (c Currency) or(other Currency) Currency {
	if c == "" {
		return other
	}
	return c
}

// FieldError names the field that is wrong.
type FieldError struct {
	Field string
	Why   string
}

func (e *FieldError) Error() string { return e.Field + ": " + e.Why }
