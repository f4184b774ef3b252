package tallystick.simengine;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The KV blocks: which are held, which are free in what order of eviction, and which free or held
 * block holds which prefix.
 *
 * <p>Block 0 is the null block: never given out. Free blocks form a queue; blocks without a hash
 * are given back to its front, blocks with one to its end, so that cached prefixes are lost last
 * and in the order of their last use.
 */
final class BlockPool {
  private static final int NONE = -1; // no block

  private final int blockCount;
  private final boolean caching;
  private final BlockLifetimes lifetimes;
  private final int[] references;
  private final long[] hashes;
  private final boolean[] hashed;
  private final int[] previousFree;
  private final int[] nextFree;
  private int firstFree = NONE;
  private int lastFree = NONE;
  private int freeCount;

  /** Hash → first block registered with it; duplicates follow in a ring. */
  private final Map<Long, Integer> firstWithHash = new HashMap<>();

  private final int[] previousDuplicate;
  private final int[] nextDuplicate;

  BlockPool(int blockCount, boolean caching, BlockLifetimes lifetimes) {
    this.blockCount = blockCount;
    this.caching = caching;
    this.lifetimes = lifetimes;
    references = new int[blockCount];
    hashes = new long[blockCount];
    hashed = new boolean[blockCount];
    previousFree = new int[blockCount];
    nextFree = new int[blockCount];
    previousDuplicate = new int[blockCount];
    nextDuplicate = new int[blockCount];
    for (int block = 1; block < blockCount; block++) {
      appendFree(block);
    }
  }

  int freeCount() {
    return freeCount;
  }

  /** Share of the usable blocks that is held: 0 to 1. */
  double usage() {
    int usable = blockCount - 1;
    return usable == 0 ? 0 : 1.0 - (double) freeCount / usable;
  }

  /** Takes a block from the front of the free queue; what it held is forgotten. */
  int take(long nowNanos) {
    int block = firstFree;
    if (block == NONE) {
      throw new IllegalStateException("no free block");
    }
    removeFree(block);
    if (caching) {
      lifetimes.evicted(block, nowNanos);
      forgetHash(block);
    }
    references[block] = 1;
    lifetimes.allocated(block, nowNanos);
    return block;
  }

  /** Adds a holder to a cached block and takes it out of the free queue if it was there. */
  void touch(int block, long nowNanos) {
    if (references[block] == 0) {
      removeFree(block);
    }
    references[block]++;
    lifetimes.accessed(block, nowNanos);
  }

  /** Whether a cached block is held by nobody, so that touching it takes a free block. */
  boolean isFree(int block) {
    return references[block] == 0;
  }

  /** The block that holds the prefix with this hash, or -1. */
  int find(long hash) {
    return firstWithHash.getOrDefault(hash, NONE);
  }

  /** Notes that a held, full block holds the prefix with this hash. */
  void register(int block, long hash) {
    if (!caching || hashed[block]) {
      return;
    }
    hashed[block] = true;
    hashes[block] = hash;
    Integer first = firstWithHash.putIfAbsent(hash, block);
    if (first == null) {
      previousDuplicate[block] = block;
      nextDuplicate[block] = block;
    } else {
      int last = previousDuplicate[first];
      nextDuplicate[last] = block;
      previousDuplicate[block] = last;
      nextDuplicate[block] = first;
      previousDuplicate[first] = block;
    }
  }

  /** Gives back a sequence's blocks, the last first, so that a prefix loses its tail first. */
  void release(int[] blocks, int count) {
    int front = NONE;
    for (int i = count - 1; i >= 0; i--) {
      int block = blocks[i];
      if (--references[block] > 0) {
        continue;
      }
      if (caching && hashed[block]) {
        appendFree(block);
      } else {
        insertFreeAfter(front, block);
        front = block;
      }
    }
  }

  /** Forgets every prefix; false and without effect while a block is held. */
  boolean reset() {
    if (freeCount != blockCount - 1) {
      return false;
    }
    firstWithHash.clear();
    Arrays.fill(hashed, false);
    lifetimes.reset();
    return true;
  }

  /** Blocks held by at least one sequence. */
  int heldCount() {
    int held = 0;
    for (int references : references) {
      held += references > 0 ? 1 : 0;
    }
    return held;
  }

  private void forgetHash(int block) {
    if (!hashed[block]) {
      return;
    }
    hashed[block] = false;
    int next = nextDuplicate[block];
    if (next == block) {
      firstWithHash.remove(hashes[block]);
      return;
    }
    int previous = previousDuplicate[block];
    nextDuplicate[previous] = next;
    previousDuplicate[next] = previous;
    if (firstWithHash.get(hashes[block]) == block) {
      firstWithHash.put(hashes[block], next);
    }
  }

  private void appendFree(int block) {
    insertFreeAfter(lastFree, block);
  }

  private void insertFreeAfter(int before, int block) {
    int after = before == NONE ? firstFree : nextFree[before];
    previousFree[block] = before;
    nextFree[block] = after;
    if (before == NONE) {
      firstFree = block;
    } else {
      nextFree[before] = block;
    }
    if (after == NONE) {
      lastFree = block;
    } else {
      previousFree[after] = block;
    }
    freeCount++;
  }

  private void removeFree(int block) {
    int before = previousFree[block];
    int after = nextFree[block];
    if (before == NONE) {
      firstFree = after;
    } else {
      nextFree[before] = after;
    }
    if (after == NONE) {
      lastFree = before;
    } else {
      previousFree[after] = before;
    }
    freeCount--;
  }
}
