package tallystick.cli.launch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tallystick.cli.exit.ExitCode;
import tallystick.cli.option.JsonOption;
import tallystick.cli.option.Mistake;
import tallystick.cli.option.ShellCommand;
import tallystick.launch.ClusterClient;
import tallystick.launch.KubernetesFiles;
import tallystick.report.Reports;
import tallystick.scenario.PlainText;
import tallystick.scenario.Scenario;
import tallystick.scenario.Target;

/** Writes an Indexed Job whose pods are the shards. */
@Command(
    name = "kubernetes",
    description = {
      "Write an Indexed Job with a pod for each shard, and a Job that joins their records.",
      "The pods need no rights in the cluster."
    })
final class LaunchKubernetesCommand extends ShellCommand {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?");
  private static final Pattern AMOUNT = Pattern.compile("[0-9]{1,9}(m|[KMGT]i?)?");
  private static final DateTimeFormatter TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss").withZone(ZoneOffset.UTC);

  /** Nodes pull the image, pods wait for each other, records are joined. */
  private static final long SPARE_SECONDS = 3_600;

  @Mixin private LaunchOptions options;

  @Mixin private JsonOption json;

  @Option(
      names = "--image",
      required = true,
      paramLabel = "IMAGE",
      description = "a container image of tally (Dockerfile)")
  private String image;

  @Option(
      names = "--claim",
      required = true,
      paramLabel = "NAME",
      description = "volume claim for the results; all nodes must be able to write to it")
  private String claim;

  @Option(
      names = "--namespace",
      paramLabel = "NAME",
      defaultValue = "default",
      description = "namespace of all these objects (default: ${DEFAULT-VALUE})")
  private String namespace;

  @Option(
      names = "--api-key-secret",
      paramLabel = "NAME",
      defaultValue = "",
      description = "secret whose key api-key is sent to the targets")
  private String secret;

  @Option(
      names = "--env-secret",
      paramLabel = "NAME",
      defaultValue = "",
      description = "secret with the variables that the scenario names with env")
  private String envSecret;

  @Option(
      names = "--cpu",
      paramLabel = "CORES",
      defaultValue = "2",
      description = "CPUs reserved for each pod (default: ${DEFAULT-VALUE})")
  private String cpu;

  @Option(
      names = "--memory",
      paramLabel = "SIZE",
      defaultValue = "2Gi",
      description = "memory of each pod (default: ${DEFAULT-VALUE})")
  private String memory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    check();
    Scenario scenario = options.scenario();
    requireOneFile(scenario);
    KubernetesFiles files =
        new KubernetesFiles(
            options.order(scenario, TIME.format(Instant.now())),
            new KubernetesFiles.Place(
                namespace, image, claim, secrets(scenario), cpu, memory));
    Path folder = options.folder();
    List<Path> written = files.write(folder);
    warn(scenario);
    written.forEach(file -> console().println("Written: " + file));
    json.print(() -> answer(written));
    if (!options.isSubmitted()) {
      Path merge = folder.resolve("merge.yaml");
      console().println("NEXT     kubectl apply -k " + PlainText.argument(folder));
      console().println("         kubectl apply -f " + PlainText.argument(merge)
          + "  # once the pods have ended");
      return ExitCode.GOOD.number();
    }
    long length = Math.min(scenario.extent().durationNanos() / 1_000_000_000L, 1_000_000);
    return new ClusterClient(console(), System::nanoTime)
        .submit(files, folder, length + SPARE_SECONDS);
  }

  private void warn(Scenario scenario) {
    Target.loaded(scenario.targets())
        .filter(Target::isLoopback)
        .findFirst()
        .ifPresent(
            target -> {
              console().println("WARNING  In a pod " + target.url() + " is the pod itself: the"
                  + " shards will find");
              console().println(
                  "         no server there and end with exit code 3. Name the server's service:");
              console().println("         --target http://SERVICE.NAMESPACE:PORT");
            });
  }

  private static String answer(List<Path> written) {
    return Reports.json(Map.of("files", written.stream().map(Path::toString).toList()));
  }

  private void check() {
    requireName("--claim", claim);
    requireName("--namespace", namespace);
    if (!secret.isEmpty()) {
      requireName("--api-key-secret", secret);
    }
    if (!envSecret.isEmpty()) {
      requireName("--env-secret", envSecret);
    }
    for (String amount : List.of(cpu, memory)) {
      if (!AMOUNT.matcher(amount).matches()) {
        throw new Mistake("\"" + amount + "\" is not an amount: write for example 2 or 2Gi");
      }
    }
  }

  private void requireName(String option, String given) {
    if (!NAME.matcher(given).matches()) {
      throw new Mistake(
          option + " must be a Kubernetes name of lower-case letters, digits, - and ., was \""
              + given + "\"");
    }
  }

  /** Only the scenario itself travels to the pods, and no variable of this shell. */
  private void requireOneFile(Scenario scenario) {
    List<String> files = ScenarioCompanions.files(scenario);
    if (!files.isEmpty()) {
      throw new Mistake(
          "this scenario reads a file (" + String.join(", ", files) + "), which does not travel"
              + " to the pods: put both into the image and apply the files by hand, or use Slurm"
              + " with a shared folder");
    }
    String variable = scenario.access().apiKeyEnv();
    if (!variable.isEmpty() && secret.isEmpty() && envSecret.isEmpty()) {
      throw new Mistake(
          "this scenario takes its key from the variable " + variable + ", which pods do not"
              + " have: put"
              + " the key into a secret as api-key and name it with --api-key-secret");
    }
    List<String> others = ScenarioCompanions.variables(scenario);
    if (!others.isEmpty() && envSecret.isEmpty()) {
      throw new Mistake(
          "this scenario takes secrets from variables that no pod has (" + String.join(", ", others)
              + "): put them into a secret of the cluster, each under the variable's name, and name"
              + " it with --env-secret");
    }
  }

  /** The pods' variables; their values stand in no file, but in the cluster's secrets. */
  private List<KubernetesFiles.SecretVariable> secrets(Scenario scenario) {
    List<KubernetesFiles.SecretVariable> all = new ArrayList<>();
    String own = scenario.access().apiKeyEnv();
    if (!secret.isEmpty()) {
      all.add(new KubernetesFiles.SecretVariable(KubernetesFiles.API_KEY, secret, "api-key"));
    } else if (!own.isEmpty()) {
      all.add(new KubernetesFiles.SecretVariable(own, envSecret, own));
    }
    ScenarioCompanions.variables(scenario).stream()
        .filter(name -> all.stream().noneMatch(one -> one.name().equals(name)))
        .map(name -> new KubernetesFiles.SecretVariable(name, envSecret, name))
        .forEach(all::add);
    return all;
  }
}
