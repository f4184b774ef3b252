package tallystick.analysis.result;

import java.util.List;
import tallystick.runrecord.MetricConcept;

/** A time that the client, the engine or both measure. */
public enum Latency implements Choice {
  TTFT(MetricConcept.TTFT),
  ITL(MetricConcept.ITL),
  TPOT(MetricConcept.TPOT),
  E2E(MetricConcept.E2E),
  QUEUE(MetricConcept.QUEUE_TIME),
  PREFILL(MetricConcept.PREFILL_TIME),
  DECODE(MetricConcept.DECODE_TIME),
  INFERENCE(MetricConcept.INFERENCE_TIME),
  KV_BLOCK_LIFETIME(MetricConcept.KV_BLOCK_LIFETIME),
  KV_BLOCK_IDLE(MetricConcept.KV_BLOCK_IDLE),
  KV_BLOCK_REUSE_GAP(MetricConcept.KV_BLOCK_REUSE_GAP),
  NIXL_TRANSFER(MetricConcept.NIXL_TRANSFER_TIME),
  NIXL_POST(MetricConcept.NIXL_POST_TIME);

  /** How long KV blocks were kept and transfers took. */
  public static final List<Latency> RESIDENCY =
      List.of(KV_BLOCK_LIFETIME, KV_BLOCK_IDLE, KV_BLOCK_REUSE_GAP, NIXL_TRANSFER, NIXL_POST);

  private final MetricConcept concept;

  Latency(MetricConcept concept) {
    this.concept = concept;
  }

  /** The engine's histogram of it. */
  public MetricConcept concept() {
    return concept;
  }
}
