module example.com/depot

go 1.22

require (
	example.com/clock v0.1.0
	github.com/google/uuid v1.6.0
)

replace example.com/clock => ./clock
