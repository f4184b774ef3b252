package tallystick.experiment.capacity;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;

/**
 * {@code capacity.json}: every figure of a search. What is not asked or not known is absent.
 *
 * @param formatVersion version of capacity.json
 * @param scenario its name
 * @param rateUnit what a rate counts: {@code requests/s}, or {@code sessions/s}
 * @param requestsPerSession requests that were sent for each session; absent where a rate counts
 *     requests
 * @param engine in words
 * @param outcome how the search ended
 * @param objective what a rate had to hold, in words
 * @param share of the requests, or sessions, that must keep every limit
 * @param confidence of the interval
 * @param ceilingPerSecond requests that the engine completed at most, in a closed loop; absent
 *     where none tells it
 * @param sustainedPerSecond rate that the later halves of long runs hold, where it is less than
 *     that of the first halves
 * @param predicted what a profile of the engine says; absent where none was asked
 * @param elapsedSeconds time of all probes
 * @param probes all that were played
 */
record CapacityFigures(
    int formatVersion,
    String scenario,
    String rateUnit,
    @JsonInclude(JsonInclude.Include.NON_DEFAULT) double requestsPerSession,
    String engine,
    CapacityAnswer.Ending outcome,
    String objective,
    double share,
    double confidence,
    @JsonInclude(JsonInclude.Include.NON_NULL) Double ceilingPerSecond,
    @JsonInclude(JsonInclude.Include.NON_NULL) Double sustainedPerSecond,
    @JsonUnwrapped CapacityAnswer.EndFigures end,
    @JsonUnwrapped FleetSizing.Figures fleet,
    @JsonUnwrapped TokenEnergy.Figures energy,
    @JsonInclude(JsonInclude.Include.NON_NULL) PredictedSearch.Figures predicted,
    double elapsedSeconds,
    List<ProbeResult> probes) {
  static final int FORMAT = 1;
}
