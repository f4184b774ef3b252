package tallystick.cli.experiment;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;
import tallystick.cli.option.GivenUrl;
import tallystick.cli.option.Mistake;
import tallystick.experiment.engine.Deployment;
import tallystick.reach.ServerUrl;

/** Options that name an engine in Kubernetes whose settings may be changed. */
final class DeploymentOptions {
  private static final Pattern NAME = Pattern.compile("[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

  @Option(
      names = "--serve-deployment",
      paramLabel = "NAME",
      description =
          "change the args of this Kubernetes deployment for each run, and restore them; needs"
              + " --namespace and --serve-url")
  private String deployment;

  @Option(
      names = "--namespace",
      paramLabel = "NAMESPACE",
      description = "namespace of that deployment; no default")
  private String namespace;

  @Option(
      names = "--container",
      paramLabel = "NAME",
      description = "the engine's container, if the pod has several")
  private String container;

  @Option(
      names = "--serve-url",
      paramLabel = "URL",
      description = "URL of the deployment's one pod, for example of its service")
  private String url;

  @Option(
      names = "--kubectl",
      paramLabel = "PROGRAM",
      defaultValue = "kubectl",
      description = "program that talks to the cluster (default: ${DEFAULT-VALUE})")
  private String kubectl;

  boolean isGiven() {
    return deployment != null;
  }

  /** What is to be changed; empty if nothing was named. */
  Optional<Deployment.Order> order(Duration patience) {
    if (!isGiven()) {
      if (namespace != null || container != null || url != null) {
        throw new Mistake("--namespace, --container and --serve-url go with --serve-deployment");
      }
      return Optional.empty();
    }
    if (namespace == null || url == null) {
      throw new Mistake(
          "--serve-deployment changes a cluster: name the --namespace, and with --serve-url where"
              + " the engine is reached");
    }
    requireName("--serve-deployment", deployment);
    requireName("--namespace", namespace);
    if (container != null) {
      requireName("--container", container);
    }
    return Optional.of(
        new Deployment.Order(
            kubectl, namespace, deployment, Optional.ofNullable(container),
            GivenUrl.checked("--serve-url", url, ServerUrl.Use.TARGET), patience));
  }

  private void requireName(String option, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new Mistake(option + " " + name + " is not a Kubernetes name");
    }
  }
}
