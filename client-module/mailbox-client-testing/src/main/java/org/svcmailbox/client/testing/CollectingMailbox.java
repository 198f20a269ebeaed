package org.svcmailbox.client.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.client.BackendFeatures;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxException;
import org.svcmailbox.client.MailboxFullException;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.Outgoing;
import org.svcmailbox.client.SendResult;
import org.svcmailbox.client.Sent;
import org.svcmailbox.client.memory.InMemoryMailbox;

/**
 * A mailbox that keeps sent messages for a test to inspect, and never delivers them. It is full at
 * 10,000 messages. {@link #purge} removes them.
 *
 * @param <T> the bodies
 * @param <R> the bodies of replies
 */
public final class CollectingMailbox<T, R> implements Mailbox<T, R> {
  private final NullMailbox<T, R> checked;
  private final List<Outgoing<? extends T, ? super R>> sent = new ArrayList<>();

  /** An empty mailbox. */
  public CollectingMailbox(String name) {
    checked = new NullMailbox<>(name);
  }

  /** The messages sent so far, in order; a copy. */
  public synchronized List<Outgoing<? extends T, ? super R>> sent() {
    return List.copyOf(sent);
  }

  /** The bodies of the messages sent so far, in order. */
  public List<T> bodies() {
    List<T> bodies = new ArrayList<>();
    sent().forEach(message -> bodies.add(message.body()));
    return List.copyOf(bodies);
  }

  @Override
  public String name() {
    return checked.name();
  }

  @Override
  public BackendFeatures features() {
    return checked.features();
  }

  @Override
  public String send(T body) {
    return send(Outgoing.of(body)).id();
  }

  @Override
  public String send(T body, Mailbox<? super R, ?> replyTo) {
    return send(Outgoing.builder(body).replyTo(replyTo).build()).id();
  }

  @Override
  public synchronized Sent send(Outgoing<? extends T, ? super R> message) {
    Sent answer = checked.send(message);
    requireRoom();
    sent.add(message);
    return answer;
  }

  @Override
  public synchronized List<SendResult> sendAll(
      List<? extends Outgoing<? extends T, ? super R>> messages) {
    List<SendResult> answers = new ArrayList<>(checked.sendAll(messages));
    for (int i = 0; i < answers.size(); i++) {
      if (sent.size() < InMemoryMailbox.DEFAULT_CAPACITY) {
        sent.add(messages.get(i));
      } else {
        answers.set(i, new SendResult.Failed(full()));
      }
    }
    return List.copyOf(answers);
  }

  @Override
  public synchronized CompletionStage<Sent> sendAsync(Outgoing<? extends T, ? super R> message) {
    try {
      return CompletableFuture.completedFuture(send(message));
    } catch (MailboxException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private void requireRoom() {
    if (sent.size() >= InMemoryMailbox.DEFAULT_CAPACITY) {
      throw full();
    }
  }

  private MailboxFullException full() {
    return new MailboxFullException("mailbox " + name() + " has collected " + sent.size());
  }

  @Override
  public List<Message<T, R>> receive(int maxMessages, Duration visibility, Duration wait) {
    return checked.receive(maxMessages, visibility, wait);
  }

  @Override
  public synchronized OptionalLong purge() {
    OptionalLong purged = OptionalLong.of(approximateCount());
    sent.clear();
    return purged;
  }

  @Override
  public synchronized long approximateCount() {
    return checked.approximateCount() + sent.size();
  }

  @Override
  public boolean isClosed() {
    return checked.isClosed();
  }

  @Override
  public void close() {
    checked.close();
  }
}
