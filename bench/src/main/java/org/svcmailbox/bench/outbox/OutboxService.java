package org.svcmailbox.bench.outbox;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.bench.contestant.MailboxContestant;
import org.svcmailbox.bench.contestant.MailboxContestant.Form;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.figure.Samples;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.load.SendWindow;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Parts;
import org.svcmailbox.bench.options.Rounds;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.outbox.mailbox.MailboxPublisher;
import org.svcmailbox.outbox.publish.EventPublisher;

/** The parts of the scenario in which the laid-out server takes the events. */
final class OutboxService {
  private static final List<String> PARTS =
      List.of(Parts.SERVICE, Parts.JOURNEY, Parts.MILLION_SERVICE);

  /** Two, so that one reads and marks while the other waits for answers. */
  private static final int PUBLISHERS = 2;

  private static final int UNDER_WAY = 4_000;
  private static final Duration JOURNEY_FIRST = Duration.ofSeconds(10);
  private static final Duration SEND_TIMEOUT = Duration.ofSeconds(5);

  private final Options options;
  private final Figures figures;
  private final OutboxDatabase database;
  private final MailboxContestant service;
  private int topics;
  private int sent;

  private interface OnTopic<T> {
    T with(String topic, EventPublisher publisher) throws Exception;
  }

  private OutboxService(
      Options options, Figures figures, OutboxDatabase database, MailboxContestant service) {
    this.options = options;
    this.figures = figures;
    this.database = database;
    this.service = service;
  }

  /**
   * Measures the selected parts; without one it starts no server.
   *
   * @param data data directory of the server
   */
  static void run(Options options, Figures figures, OutboxDatabase database, Path data)
      throws Exception {
    if (PARTS.stream().noneMatch(options::has)) {
      return;
    }
    try (MailboxContestant service =
        new MailboxContestant(Form.JSON, options.home(), options.work())) {
      Progress.say("starting the server");
      service.start(data, options.output("server"));
      new OutboxService(options, figures, database, service).run();
    }
  }

  private void run() throws Exception {
    if (options.has(Parts.SERVICE)) {
      new Rounds(options).run(Parts.SERVICE, figures, this::service);
    }
    if (options.has(Parts.JOURNEY)) {
      journey();
    }
    if (options.has(Parts.MILLION_SERVICE)) {
      LongDrain drain = new LongDrain(options, figures);
      onNewTopic(
          (topic, publisher) ->
              drain.run(
                  "million.service",
                  new PublisherDrain(database, publisher, PUBLISHERS),
                  LongDrain::goOn));
    }
  }

  private void service(Figures into) throws Exception {
    double ours = perSecond(PUBLISHERS);
    double client =
        onNewTopic(
            (topic, publisher) ->
                new SendWindow(UNDER_WAY, () -> send(publisher)).run(options.load()));
    into.add("service.ours", ours);
    into.add("service.client", client);
    into.add("service.ratio", ours / client);
    into.add("service.alone", perSecond(1));
  }

  private double perSecond(int publishers) throws Exception {
    int events = options.backlog() / 2;
    return onNewTopic(
        (topic, publisher) -> {
          PublisherDrain drain = new PublisherDrain(database, publisher, publishers);
          drain.fill(events);
          return drain.drain(events);
        });
  }

  private CompletionStage<?> send(EventPublisher publisher) {
    int number = ++sent;
    return publisher.publish(
        OutboxOrders.subject(), OutboxOrders.payload(number), OutboxOrders.headers(number));
  }

  private void journey() throws Exception {
    Progress.say(Parts.JOURNEY);
    Duration length = options.load().multipliedBy(options.rounds());
    List<Long> nanos =
        onNewTopic(
            (topic, publisher) ->
                new OutboxJourney(database, service.target(), topic, publisher)
                    .run(JOURNEY_FIRST, length));
    figures.add("journey.p50_ms", Samples.millis(nanos, 50));
    figures.add("journey.p99_ms", Samples.millis(nanos, 99));
  }

  private <T> T onNewTopic(OnTopic<T> work) throws Exception {
    String topic = LoadTarget.TOPICS + "outbox." + topics++;
    service.create(topic);
    LoadTarget target = service.target();
    T result;
    try (HttpMailbox<String, byte[]> mailbox =
        HttpMailbox.builder(
                target.server(),
                TokenSource.of(target.token()),
                topic,
                Codecs.utf8(),
                Codecs.bytes())
            .sendTimeout(SEND_TIMEOUT)
            .build()) {
      result = work.with(topic, new MailboxPublisher(mailbox));
    }
    service.delete(topic);
    return result;
  }
}
