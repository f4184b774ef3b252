package tallystick.experiment.tune;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is said of predictions beside what was measured.
 *
 * @param forecast what was predicted
 * @param screening what was measured
 */
record ForecastWords(Forecast forecast, Screening screening) {
  static ForecastWords of(Screening screening) {
    return new ForecastWords(screening.forecast(), screening);
  }

  /** What a reader of the answer must know of it; empty where nothing was predicted. */
  Optional<String> words() {
    if (forecast.plays().isEmpty()) {
      return Optional.empty();
    }
    List<Forecast.Beside> all = forecast.beside(screening.evidence());
    long within = all.stream().filter(Forecast.Beside::isWithin).count();
    String checked =
        forecast.check().map(cell -> forecast.grid().cells().get(cell).words()).orElse("none");
    String left =
        screening.betrayal().isPresent()
            ? "wrong (" + screening.betrayal().get() + "), so no cell is left out"
            : forecast.leftOut().isEmpty()
                ? "no cell left out"
                : forecast.leftOut().size() + " cells not measured, predicted worse; check cell "
                    + checked
                    + (screening.isChecked() ? " as predicted" : " not measured yet");
    return Optional.of(
        "predicted in virtual time (simulated): " + left + "; within 10 % in " + within + " of "
            + all.size() + " figures");
  }

  /** The same of every cell, for the whole account. */
  String table() {
    StringBuilder text = new StringBuilder();
    words().ifPresent(
        words -> {
          text.append("\nPredictions: ").append(words).append('\n');
          forecast.beside(screening.evidence())
              .forEach(one -> text.append(one.words()).append('\n'));
        });
    return text.toString();
  }

  /** The same for the file of figures. */
  Map<String, Object> figures() {
    Map<String, Object> all = new LinkedHashMap<>();
    words().ifPresent(
        words -> {
          List<Forecast.Beside> beside = forecast.beside(screening.evidence());
          all.put("simulated", true);
          all.put("assumed_error", Forecast.ERROR);
          all.put("worse", forecast.worse());
          forecast.check().ifPresent(cell -> all.put("check_cell", cell));
          all.put("betrayed_by", screening.betrayal().orElse(""));
          all.put("compared", beside.size());
          all.put("within_error", beside.stream().filter(Forecast.Beside::isWithin).count());
          all.put("figures", beside);
        });
    return all;
  }
}
