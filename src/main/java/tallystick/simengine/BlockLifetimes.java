package tallystick.simengine;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * How long sampled KV blocks lived, idled and waited between uses.
 *
 * <p>Answers to {@code vllm:kv_block_lifetime_seconds}, {@code kv_block_idle_before_evict_seconds}
 * and {@code kv_block_reuse_gap_seconds}; a block is observed when it is taken again.
 */
final class BlockLifetimes {
  private static final int REMEMBERED_ACCESSES = 4;

  private final double sampledShare;
  private final SplittableRandom random;
  private final Life[] lives;
  private List<Eviction> evictions = new ArrayList<>();

  /**
   * A sampled block that was taken for new content.
   *
   * @param lifetimeNanos since it was taken the time before
   * @param idleNanos since it was last taken or hit
   * @param reuseGapNanos between its last hits, at most three
   */
  record Eviction(long lifetimeNanos, long idleNanos, long[] reuseGapNanos) {}

  private static final class Life {
    final long bornNanos;
    final List<Long> accessNanos = new ArrayList<>(REMEMBERED_ACCESSES);

    Life(long bornNanos) {
      this.bornNanos = bornNanos;
    }
  }

  BlockLifetimes(int blockCount, double sampledShare, long seed) {
    this.sampledShare = sampledShare;
    this.random = new SplittableRandom(seed);
    this.lives = new Life[blockCount];
  }

  void allocated(int block, long nowNanos) {
    if (sampledShare > 0 && random.nextDouble() < sampledShare) {
      lives[block] = new Life(nowNanos);
    }
  }

  void accessed(int block, long nowNanos) {
    Life life = lives[block];
    if (life == null) {
      return;
    }
    if (life.accessNanos.size() == REMEMBERED_ACCESSES) {
      life.accessNanos.removeFirst();
    }
    life.accessNanos.add(nowNanos);
  }

  void evicted(int block, long nowNanos) {
    Life life = lives[block];
    if (life == null) {
      return;
    }
    lives[block] = null;
    List<Long> accesses = life.accessNanos;
    long[] gaps = new long[Math.max(0, accesses.size() - 1)];
    for (int i = 0; i < gaps.length; i++) {
      gaps[i] = accesses.get(i + 1) - accesses.get(i);
    }
    long lastUse = accesses.isEmpty() ? life.bornNanos : accesses.getLast();
    evictions.add(new Eviction(nowNanos - life.bornNanos, nowNanos - lastUse, gaps));
  }

  /** The evictions since the last call. */
  List<Eviction> drain() {
    if (evictions.isEmpty()) {
      return List.of();
    }
    List<Eviction> drained = evictions;
    evictions = new ArrayList<>();
    return drained;
  }

  void reset() {
    java.util.Arrays.fill(lives, null);
    evictions.clear();
  }
}
