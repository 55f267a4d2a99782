module Tally
  module Mixins
    module Checks
      def check!
        raise Error unless valid?
      end

      def checked
        check!
        self
      end
    end

    module Finders
      def find_all_of(kind)
        all.select { |one| matches(one, kind) }
      end

      def matches(one, kind)
        one.kind == kind
      end
    end

    module Loud
      def split(times)
        announce(times)
        super
      end

      def announce(times)
        puts times
      end
    end
  end
end
