#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "detail/registry.hpp"
#include "vector.h"

namespace geo {

class Canvas;

enum class Colour { Red, Green };

struct Named {
  virtual std::string name() const { return "thing"; }
  virtual ~Named() = default;
};

class Shape : public Named, protected detail::Registered<Shape> {
 public:
  using Ptr = std::unique_ptr<Shape>;
  struct Style {
    Colour colour = Colour::Red;
    void apply(Canvas &canvas) const;
  };

  explicit Shape(Point at) : at_(at), style_() { enlist(); }
  Shape(const Shape &) = delete;

  virtual double area() const = 0;
  virtual void draw(Canvas &canvas) const;
  void draw(Canvas &canvas, const Style &style) const;
  const Point &at() const { return at_; }
  static Ptr make(const std::string &kind);
  bool operator<(const Shape &other) const { return area() < other.area(); }

 protected:
  Point at_;
  Style style_;
  std::function<void(const Shape &)> watcher_;
  static int count;

 private:
  friend class Canvas;
};

class Disc final : public Shape {
 public:
  Disc(Point at, double radius);
  double area() const override;
  std::string name() const override;

 private:
  double radius_;
};

}  // namespace geo
