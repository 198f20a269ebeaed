package org.svcmailbox.bench.client;

import java.time.Duration;
import org.svcmailbox.bench.contestant.MailboxContestant;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;

/** The HTTP mailbox and raw requests by {@code wrk}, each turn on a topic of its own. */
abstract class ServicePair implements ClientPair {
  private final MailboxContestant service;
  private int topics;

  /**
   * @param service a running service, which this does not close
   */
  ServicePair(MailboxContestant service) {
    this.service = service;
  }

  @Override
  public final double atLeast() {
    return 0.8;
  }

  @Override
  public final double ours(Duration lasting) throws Exception {
    return onNewTopic(topic -> ours(topic, lasting));
  }

  @Override
  public final double theirs(Duration lasting) throws Exception {
    return onNewTopic(topic -> theirs(service, topic, lasting));
  }

  abstract double ours(String topic, Duration lasting) throws Exception;

  abstract double theirs(MailboxContestant raw, String topic, Duration lasting) throws Exception;

  final MailboxContestant service() {
    return service;
  }

  /** A mailbox with the capability of the raw requests. */
  final HttpMailbox<byte[], byte[]> open(String topic) {
    LoadTarget target = service.target();
    return HttpMailbox.builder(
            target.server(), TokenSource.of(target.token()), topic, Codecs.bytes(), Codecs.bytes())
        .build();
  }

  private interface Turn {
    double on(String topic) throws Exception;
  }

  private double onNewTopic(Turn turn) throws Exception {
    String topic = LoadTarget.TOPICS + key() + "." + topics++;
    service.create(topic);
    double perSecond = turn.on(topic);
    service.delete(topic);
    return perSecond;
  }

  @Override
  public void close() {}
}
