package org.svcmailbox.core.route;

import java.util.List;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.time.Ticker;

/**
 * Carries out tasks of other nodes for groups of this process, on their callers' threads. Each
 * client is authenticated by its own token. Any thread.
 */
public final class GroupQuestions implements MetricSource {
  /** The most tasks at a time. */
  static final int MOST = 16;

  private final GroupWorker here;
  private final PeerCalls.Clients clients;
  private final CapacityLimit tasks;

  public GroupQuestions(GroupWorker here, PeerCalls.Clients clients, Ticker ticker) {
    this.here = here;
    this.clients = clients;
    this.tasks = new CapacityLimit("peer_tasks", "too many nodes ask for operators", MOST, ticker);
  }

  /** Carries out one task. */
  public PeerAnswer answer(ForwardedCall question) {
    try {
      return tasks.counted(() -> carryOut(question));
    } catch (RuntimeException e) {
      return PeerCalls.thrown(e);
    }
  }

  private PeerAnswer carryOut(ForwardedCall question) {
    if (question.call() instanceof PeerCall.Ask ask) {
      return new PeerAnswer.Told(
          here.carryOut(
              clients.holder(question.token(), question.client()), ask.groups(), ask.task()));
    }
    throw new SchemaException("body", "is no question");
  }

  @Override
  public List<Metric> metrics() {
    return tasks.metrics();
  }
}
