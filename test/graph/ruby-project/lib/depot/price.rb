module Depot
  class Price
    def initialize(amount)
      @amount = amount
    end

    def rounded_up
      plus(1)
    end

    def plus(other)
      Price.new(@amount + other)
    end
  end
end
