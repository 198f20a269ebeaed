package org.svcmailbox.client.cdi;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.eclipse.microprofile.config.Config;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.listener.HttpMailboxes;
import org.svcmailbox.client.listener.ListenerSettings;
import org.svcmailbox.client.listener.ListenerSignature;
import org.svcmailbox.client.listener.MailboxPoint;
import org.svcmailbox.client.listener.ServiceSettings;

/** Checks declarations and settings together, and plans loops and mailboxes. */
final class Planner {
  private final Declarations declarations;
  private final DeploymentProblems problems;
  private final MailboxSettingsReader settings;
  private final Set<MailboxPoint> points = new LinkedHashSet<>();
  private final Map<String, ServiceSettings> services = new HashMap<>();
  private final Set<String> keys = new HashSet<>();

  private Planner(Declarations declarations, Config config, DeploymentProblems problems) {
    this.declarations = declarations;
    this.problems = problems;
    this.settings = new MailboxSettingsReader(config, problems);
  }

  /**
   * A plan; the application can run it only if there are no problems.
   *
   * @param points the mailboxes to open over HTTP
   */
  record Plan(List<ListenerPlan> listeners, Set<MailboxPoint> points, HttpMailboxes http) {}

  static Plan plan(
      Declarations declarations,
      Config config,
      Map<String, String> environment,
      DeploymentProblems problems) {
    return new Planner(declarations, config, problems).plan(environment);
  }

  private Plan plan(Map<String, String> environment) {
    List<ListenerPlan> listeners = new ArrayList<>();
    for (CdiListener listener : declarations.listeners()) {
      plan(listener).ifPresent(listeners::add);
    }
    declarations.wanted().forEach(points::add);
    points.stream().map(MailboxPoint::name).distinct().forEach(this::readService);
    HttpMailboxes http =
        new HttpMailboxes(
            mailbox -> requireNonNull(services.get(mailbox), mailbox), listeners.size());
    services.forEach(
        (name, service) ->
            http.problem(name)
                .ifPresent(wrong -> problems.add(settings.given(MailboxSetting.URL, name), wrong)));
    addKeys();
    settings.refuseUnknown(keys, environment);
    return new Plan(listeners, points, http);
  }

  private Optional<ListenerPlan> plan(CdiListener listener) {
    String mailbox = listener.mailbox();
    ListenerSignature signature = listener.signature();
    ListenerSettings read = settings.listener(mailbox);
    Optional<ListenerTarget> target =
        declarations.isProduced(mailbox)
            ? declarations.produced(
                mailbox,
                signature.body(),
                signature.replies() ? signature.reply() : null,
                listener.toString())
            : Optional.of(opened(listener.point()));
    Optional<ListenerTarget> deadLetters =
        read.deadLetterMailbox()
            .flatMap(name -> deadLetters(name, MailboxSetting.DEAD_LETTER_MAILBOX.key(mailbox)));
    Optional<ListenerPlan> plan =
        target.map(found -> new ListenerPlan(listener, found, read, deadLetters));
    plan.filter(made -> made.target().bean() == null)
        .ifPresent(made -> made.check(BackendFeatures.HTTP, problems));
    return plan;
  }

  private Optional<ListenerTarget> deadLetters(String name, String key) {
    return declarations.isProduced(name)
        ? declarations.produced(name, byte[].class, null, key)
        : Optional.of(opened(new MailboxPoint(name, byte[].class, Object.class)));
  }

  private ListenerTarget opened(MailboxPoint point) {
    points.add(point);
    return new ListenerTarget(point, null);
  }

  private void readService(String mailbox) {
    settings
        .service(mailbox)
        .ifPresent(
            service -> {
              services.put(mailbox, service);
              requireReplies(mailbox, service);
            });
  }

  private void requireReplies(String mailbox, ServiceSettings service) {
    declarations.listeners().stream()
        .filter(listener -> listener.mailbox().equals(mailbox))
        .filter(listener -> listener.signature().replies() && service.replyTo().isEmpty())
        .forEach(
            listener ->
                problems.add(
                    MailboxSetting.REPLY_TO.key(mailbox),
                    "the names of the mailboxes that "
                        + listener
                        + " may reply to are missing, such as receipts or receipts-.*"));
  }

  private void addKeys() {
    for (MailboxSetting setting : MailboxSetting.values()) {
      if (setting.isOf(MailboxSetting.Of.SERVICE)) {
        keys.add(setting.commonKey());
      }
    }
    for (CdiListener listener : declarations.listeners()) {
      addKeys(listener.mailbox(), MailboxSetting.Of.LISTENER);
    }
    for (MailboxPoint point : points) {
      addKeys(point.name(), MailboxSetting.Of.SERVICE);
      if (declarations.hasListener(point.name())) {
        addKeys(point.name(), MailboxSetting.Of.REPLIES);
      }
    }
  }

  private void addKeys(String mailbox, MailboxSetting.Of kind) {
    for (MailboxSetting setting : MailboxSetting.values()) {
      if (setting.isOf(kind)) {
        keys.add(setting.key(mailbox));
      }
    }
  }
}
