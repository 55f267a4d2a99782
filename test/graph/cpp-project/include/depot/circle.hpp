#pragma once
#include "shape.hpp"

namespace depot {

class Circle : public Shape {
 public:
  explicit Circle(double radius);
  double area() const override;
  static Circle unit();
  Circle &grow(double by);

 private:
  double radius_;
};

template <typename T>
class Stack {
 public:
  void place(T one) { items_.push_back(one); }
  T take();

 private:
  std::vector<T> items_;
};

}  // namespace depot
