package tallystick.cli.launch;

import java.util.ArrayList;
import java.util.List;
import tallystick.reach.SecretPlace;
import tallystick.scenario.Exporter;
import tallystick.scenario.RequestContent;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;

/** What a scenario reads beside its own file, and what does not travel with it. */
final class ScenarioCompanions {
  private static final String FILE_URL = "file:";

  private ScenarioCompanions() {}

  /** The keys that name a file, as a scenario spells them; empty where it stands alone. */
  static List<String> files(Scenario scenario) {
    List<String> keys = new ArrayList<>();
    boolean hasData =
        scenario.workload().classes().stream()
            .anyMatch(one -> one.content() instanceof RequestContent.FromDataset);
    add(keys, hasData, "dataset");
    add(keys, !scenario.access().engines().file().isEmpty(), "targets_file");
    add(keys, !scenario.access().apiKeyFile().isEmpty(), "request.api_key_file");
    boolean hasSecretFile =
        scenario.access().secrets().places().stream().anyMatch(place -> !place.file().isEmpty());
    add(keys, hasSecretFile, "a secret's {file: PATH}");
    add(keys, !scenario.access().caFile().isEmpty(), "request.ca_file");
    boolean readsCopies =
        scenario.targets().stream().map(Target::metricsUrl).anyMatch(u -> u.startsWith(FILE_URL))
            || scenario.exporters().stream()
                .map(Exporter::url)
                .anyMatch(url -> url.startsWith(FILE_URL));
    add(keys, readsCopies, "a metrics URL of a file");
    return keys;
  }

  /** The variables that hold its secrets beside the API key. */
  static List<String> variables(Scenario scenario) {
    return scenario.access().secrets().places().stream()
        .map(SecretPlace::env)
        .filter(name -> !name.isEmpty())
        .distinct()
        .sorted()
        .toList();
  }

  private static void add(List<String> keys, boolean isThere, String key) {
    if (isThere) {
      keys.add(key);
    }
  }
}
