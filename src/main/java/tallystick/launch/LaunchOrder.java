package tallystick.launch;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What is to be launched.
 *
 * @param scenario the scenario's file
 * @param name what the run is called in the cluster: lower-case letters, digits and hyphens
 * @param shards how many
 * @param arguments what every shard's {@code tally run} is told beside scenario, shard and start
 */
public record LaunchOrder(Path scenario, String name, int shards, List<String> arguments) {
  private static final int LONGEST_NAME = 40;

  public LaunchOrder {
    arguments = List.copyOf(arguments);
  }

  /** A name that every cluster takes, made of a scenario's. */
  public static String name(String scenario, String suffix) {
    String plain =
        scenario.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-").replaceAll("^-+|-+$", "");
    String cut = plain.substring(0, Math.min(LONGEST_NAME, plain.length()));
    return (cut.isEmpty() ? "run" : cut).replaceAll("-+$", "") + "-" + suffix;
  }
}
