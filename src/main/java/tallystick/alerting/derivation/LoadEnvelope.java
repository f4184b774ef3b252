package tallystick.alerting.derivation;

import java.util.List;
import tallystick.alerting.RefusalCode;

/** How slowly a healthy engine decodes at most, load by load; or why that is not known. */
public sealed interface LoadEnvelope {
  /**
   * It is known for some loads.
   *
   * @param cost what a token takes at a load
   * @param bands loads in ascending order, apart or side by side; at least one
   * @param refused loads of which nothing is known, with the number that is missing
   * @param mostTokens tokens of a step that were seen; beyond, nothing is known
   * @param holdMillis how long a step must be beyond it: as long as a change of load shows
   * @param runs that it rests on
   * @param mixWorst what held that long on mixes left out; NaN with one mix
   */
  record Known(
      StepTimeModel cost,
      List<Band> bands,
      List<String> refused,
      double mostTokens,
      long holdMillis,
      int runs,
      double mixWorst)
      implements LoadEnvelope {
    public Known {
      bands = List.copyOf(bands);
      refused = List.copyOf(refused);
    }
  }

  /**
   * A load.
   *
   * @param above running requests, more than these
   * @param most up to these
   * @param windows of two minutes without overlap that it was seen in
   * @param worst times as slow as expected that held on a run left out
   * @param limit the envelope, as times of what is expected
   */
  record Band(double above, double most, long windows, double worst, double limit) {}

  /** It is not known for any load. */
  record Refused(RefusalCode code, String missing) implements LoadEnvelope {}
}
