package tallystick.run;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tallystick.gatling.RequestSender;
import tallystick.gatling.Trial;
import tallystick.openai.PromptWriter;
import tallystick.openai.RequestWriter;
import tallystick.plan.Plan;
import tallystick.plan.PlannedRequest;
import tallystick.plan.Prompt;
import tallystick.runrecord.Outcome;
import tallystick.runrecord.PromptForm;
import tallystick.runrecord.RequestRow;
import tallystick.scenario.Endpoint;
import tallystick.scenario.RefusedField;

/**
 * Settles how made-up prompts are written, by what the servers take. Token ids have exact lengths,
 * but only some servers take them: the first warm-up request of each target is sent ahead of the
 * others, with one output token, and a refusal turns the run's prompts into text. A plan without
 * warm-up costs one such request more, before the window. A field that is refused ends the run.
 */
final class PromptChoice {
  /** Statuses with which servers refuse a prompt that is not a text; some fail over it. */
  private static final Set<Integer> REFUSALS = Set.of(400, 422, 500, 501);

  private static final int EXCERPT_CHARS = 200; // enough to tell a refusal's reason

  private final Plan plan;
  private final RequestSender.Parts parts;
  private final PromptSource source;
  private final PromptWriter words;
  private final Set<Integer> spent = new HashSet<>();
  private final Set<Integer> followed;
  private int nextIndex;
  private boolean isSent;
  private Optional<String> refusal = Optional.empty();

  /**
   * A choice not made.
   *
   * @param firstSpare index of the first request beyond the plan that it may send
   * @param parts those of the run's sender, whose writer uses token ids where the endpoint has them
   * @param words the prompts of that writer
   */
  PromptChoice(
      Plan plan, int firstSpare, RequestSender.Parts parts, PromptSource source,
      PromptWriter words) {
    this.plan = plan;
    this.parts = parts;
    this.source = source;
    this.words = words;
    this.nextIndex = firstSpare;
    this.followed = followed(plan.requests());
  }

  /** What the run's sender works with until something else is settled. */
  RequestSender.Parts parts() {
    return parts;
  }

  /**
   * What was settled.
   *
   * @param form how prompts are written
   * @param writer writes them
   * @param reason for a reader
   * @param spent indices of the warm-up requests that have been sent for it
   * @param isSent whether anything was sent
   * @param refusal why requests cannot be sent as they are, with the remedy; empty if they can
   */
  record Settled(
      PromptForm form, RequestWriter writer, String reason, Set<Integer> spent, boolean isSent,
      Optional<String> refusal) {}

  /** Settles it; sends only what the endpoint leaves open. */
  Settled settle() {
    List<PlannedRequest> madeUp =
        plan.requests().stream().filter(r -> r.prompt() instanceof Prompt.Synthetic).toList();
    if (madeUp.isEmpty()) {
      tryText();
      return settled(PromptForm.GIVEN_TEXT, parts.writer(), "every prompt is given");
    }
    List<PlannedRequest> single = madeUp.stream().filter(this::isSingle).toList();
    if (plan.settings().endpoint().takesMessages() || single.isEmpty()) {
      tryText();
      return settled(textForm(words), parts.writer(), "messages and conversations are text");
    }
    for (int target = 0; target < parts.targets().size(); target++) {
      Optional<PlannedRequest> first = firstOf(target, single);
      if (first.isPresent()) {
        Optional<Settled> refused = tryOn(first.get());
        if (refused.isPresent()) {
          return refused.get();
        }
      }
    }
    return settled(PromptForm.TOKEN_IDS, parts.writer(), "token ids are taken");
  }

  /** The first warm-up request of each target goes ahead: a field may be refused. */
  private void tryText() {
    List<PlannedRequest> warmup =
        plan.requests().stream().filter(r -> r.isWarmup() && isSingle(r)).toList();
    for (int target = 0; target < parts.targets().size() && refusal.isEmpty(); target++) {
      firstOf(target, warmup).ifPresent(first -> send(parts, first));
    }
  }

  /** Warm-up requests come first in a plan. */
  private static Optional<PlannedRequest> firstOf(int target, List<PlannedRequest> requests) {
    return requests.stream().filter(r -> r.target() == target).findFirst();
  }

  /** Indices of requests after which their conversation goes on: its turns lie in a row. */
  private static Set<Integer> followed(List<PlannedRequest> requests) {
    Set<Integer> followed = new HashSet<>();
    for (int i = 1; i < requests.size(); i++) {
      if (requests.get(i).turn() > 0) {
        followed.add(requests.get(i - 1).index());
      }
    }
    return followed;
  }

  private boolean isSingle(PlannedRequest request) {
    return request.turn() == 0 && !followed.contains(request.index());
  }

  /** What is settled because a target refuses token ids; empty if it takes them. */
  private Optional<Settled> tryOn(PlannedRequest request) {
    // A request of the window that is sent ahead of it is not measured and leaves no row.
    RequestSender.Parts sending = request.isWarmup() ? parts : parts.unrecorded();
    RequestRow withIds = send(sending, request);
    if (!isRefusal(withIds)) {
      return Optional.empty();
    }
    if (refusal.isPresent()) {
      return Optional.of(settled(PromptForm.TOKEN_IDS, parts.writer(), said(withIds).strip()));
    }
    PromptWriter asked = source.asked();
    RequestWriter text = parts.writer().asText(asked);
    RequestRow withText =
        Trial.send(sending.with(text), shortened(request, nextIndex++));
    String why = parts.targets().get(request.target()).url() + " refuses token ids" + said(withIds);
    return Optional.of(
        isRefusal(withText)
            ? settled(PromptForm.TOKEN_IDS, parts.writer(), why + ", and text" + said(withText))
            : settled(textForm(asked), text, why));
  }

  private RequestRow send(RequestSender.Parts sending, PlannedRequest request) {
    isSent = true;
    int index = request.isWarmup() ? request.index() : nextIndex++;
    if (request.isWarmup()) {
      spent.add(index);
    }
    RequestRow row = Trial.send(sending, shortened(request, index));
    if (isRefusal(row)) {
      String url = parts.targets().get(request.target()).url();
      refusal =
          RefusedField.remedy(row.ending().detail())
              .map(remedy -> url + " refuses a request" + said(row) + ".\n" + remedy);
    }
    return row;
  }

  private static PlannedRequest shortened(PlannedRequest of, int index) {
    return new PlannedRequest(
        index, of.phase(), of.requestClass(), of.user(), 0, 0, 0, of.prompt(), 1, of.choices(),
        of.target(), PlannedRequest.Cancel.NEVER);
  }

  private static boolean isRefusal(RequestRow row) {
    return row.ending().outcome() == Outcome.ERROR_EVENT
        || (row.ending().outcome() == Outcome.HTTP_ERROR
            && REFUSALS.contains(row.ending().status()));
  }

  private static String said(RequestRow row) {
    String detail = row.ending().detail();
    return " (HTTP " + row.ending().status() + ": "
        + detail.substring(0, Math.min(EXCERPT_CHARS, detail.length())) + ")";
  }

  private static PromptForm textForm(PromptWriter writer) {
    return writer.isFitted() ? PromptForm.FITTED_TEXT : PromptForm.TEXT;
  }

  private Settled settled(PromptForm form, RequestWriter writer, String reason) {
    return new Settled(form, writer, reason, Set.copyOf(spent), isSent, refusal);
  }
}
