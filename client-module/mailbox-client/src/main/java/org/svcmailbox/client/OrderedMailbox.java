package org.svcmailbox.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;

/** A mailbox that puts each message without a group into one group. */
record OrderedMailbox<T, R>(Mailbox<T, R> mailbox, String group) implements Mailbox<T, R> {
  @Override
  public String name() {
    return mailbox.name();
  }

  @Override
  public String location() {
    return mailbox.location();
  }

  @Override
  public BackendFeatures features() {
    return mailbox.features();
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
  public Sent send(Outgoing<? extends T, ? super R> message) {
    return mailbox.send(message.orderedBy(group));
  }

  @Override
  public List<SendResult> sendAll(List<? extends Outgoing<? extends T, ? super R>> messages) {
    return mailbox.sendAll(messages.stream().map(message -> message.orderedBy(group)).toList());
  }

  @Override
  public CompletionStage<Sent> sendAsync(Outgoing<? extends T, ? super R> message) {
    return mailbox.sendAsync(message.orderedBy(group));
  }

  @Override
  public List<Message<T, R>> receive(int maxMessages, Duration visibility, Duration wait) {
    return mailbox.receive(maxMessages, visibility, wait);
  }

  @Override
  public int maxExtensions() {
    return mailbox.maxExtensions();
  }

  @Override
  public List<Optional<RuntimeException>> extendAll(
      List<? extends Message<T, R>> messages, Extension extension) {
    return mailbox.extendAll(messages, extension);
  }

  @Override
  public OptionalLong purge() {
    return mailbox.purge();
  }

  @Override
  public long approximateCount() {
    return mailbox.approximateCount();
  }

  @Override
  public boolean isClosed() {
    return mailbox.isClosed();
  }

  @Override
  public void close() {
    mailbox.close();
  }
}
