#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define LOG(...) store_log(__VA_ARGS__)

int helper(int n);
