package org.svcmailbox.core.rendezvous.mailbox;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.rendezvous.PostOutcome;

/** The rendezvous service as lists that are searched from end to end. */
final class NaiveRendezvous {
  record Bounds(long bytes, int mailboxes, int queue, int waiting, int perMailbox, int perClient) {}

  record Message(int id, int recipient, @Nullable String client, int charge, long arrived) {}

  static final class Get {
    final int recipient;
    final @Nullable String client;
    final long deadline;
    boolean isValid = true;
    String told = "";

    Get(int recipient, @Nullable String client, long deadline) {
      this.recipient = recipient;
      this.client = client;
      this.deadline = deadline;
    }
  }

  static final class Mailbox {
    final List<Message> messages = new ArrayList<>();
    @Nullable Message beingWritten;
    long lastUsed;
  }

  final Map<Integer, Mailbox> mailboxes = new HashMap<>();
  final List<Get> waiting = new ArrayList<>();
  private final Bounds bounds;
  private final long messageTtl;
  private final long idleTtl;
  long now;
  int evicted;

  NaiveRendezvous(Bounds bounds, long messageTtl, long idleTtl) {
    this.bounds = bounds;
    this.messageTtl = messageTtl;
    this.idleTtl = idleTtl;
  }

  List<Message> messages() {
    return mailboxes.values().stream().flatMap(mailbox -> mailbox.messages.stream()).toList();
  }

  long bytes() {
    return messages().stream().mapToLong(Message::charge).sum();
  }

  private long bytesOf(String client) {
    return messages().stream()
        .filter(message -> client.equals(message.client()))
        .mapToLong(Message::charge)
        .sum();
  }

  PostOutcome post(int id, int recipient, @Nullable String client, int charge) {
    expire(recipient);
    Mailbox known = mailboxes.get(recipient);
    long free = bounds.bytes() - bytes();
    if (charge > free) {
      return PostOutcome.FULL;
    }
    if (known != null && known.messages.size() >= bounds.queue()) {
      return PostOutcome.MAILBOX_FULL;
    }
    long inMailbox = known == null ? 0 : known.messages.stream().mapToLong(Message::charge).sum();
    if (client != null && inMailbox > 0 && inMailbox + charge > free / 4) {
      return PostOutcome.MAILBOX_FULL;
    }
    if (client != null && bytesOf(client) > 0 && bytesOf(client) + charge > free / 4) {
      return PostOutcome.SENDER_FULL;
    }
    if (known == null && mailboxes.size() == bounds.mailboxes() && !dropIdle()) {
      return PostOutcome.FULL;
    }
    Mailbox mailbox = mailboxes.computeIfAbsent(recipient, key -> new Mailbox());
    mailbox.messages.add(new Message(id, recipient, client, charge, now));
    mailbox.lastUsed = now;
    serve(recipient);
    return PostOutcome.STORED;
  }

  void get(Get get, boolean waits) {
    expire(get.recipient);
    Mailbox mailbox = mailboxes.get(get.recipient);
    if (mailbox != null) {
      mailbox.lastUsed = now;
      if (mailbox.beingWritten == null && !mailbox.messages.isEmpty()) {
        hand(mailbox, get);
        return;
      }
    }
    get.told = waits ? refusal(get) : "Empty";
    if (get.told.isEmpty()) {
      waiting.add(get);
    }
  }

  private String refusal(Get get) {
    if (get.client != null && waitingFor(get.recipient) >= bounds.perMailbox()) {
      return "TooManyWaiters";
    }
    long ofClient =
        waiting.stream().filter(other -> Objects.equals(get.client, other.client)).count();
    if (get.client != null && ofClient >= bounds.perClient()) {
      return "TooManyWaiters";
    }
    return waiting.size() >= bounds.waiting() ? "Full" : "";
  }

  private long waitingFor(int recipient) {
    return waiting.stream().filter(other -> other.recipient == recipient).count();
  }

  private void hand(Mailbox mailbox, Get get) {
    Message message = mailbox.messages.get(0);
    mailbox.beingWritten = message;
    get.told = "Found " + message.id() + ", " + (mailbox.messages.size() - 1) + " left";
  }

  private void serve(int recipient) {
    Mailbox mailbox = mailboxes.get(recipient);
    while (mailbox != null && mailbox.beingWritten == null) {
      Optional<Get> first = waiting.stream().filter(get -> get.recipient == recipient).findFirst();
      if (first.isEmpty()) {
        return;
      }
      expire(recipient);
      if (mailbox.messages.isEmpty()) {
        return;
      }
      leave(first.get(), "Revoked");
      if (first.get().isValid) {
        hand(mailbox, first.get());
      }
    }
  }

  void leave(Get get, String told) {
    if (waiting.remove(get)) {
      get.told = told;
      Mailbox mailbox = mailboxes.get(get.recipient);
      if (mailbox != null) {
        mailbox.lastUsed = now;
      }
    }
  }

  void settle(int recipient, boolean isWritten) {
    Mailbox mailbox = requireNonNull(mailboxes.get(recipient));
    if (isWritten) {
      mailbox.messages.remove(mailbox.beingWritten);
    }
    mailbox.beingWritten = null;
    mailbox.lastUsed = now;
    serve(recipient);
  }

  void endWaits() {
    List.copyOf(waiting).stream()
        .filter(get -> now - get.deadline >= 0)
        .forEach(get -> leave(get, "Empty"));
  }

  void evict() {
    mailboxes.keySet().forEach(this::expire);
    mailboxes
        .entrySet()
        .removeIf(entry -> isIdle(entry.getKey()) && now - entry.getValue().lastUsed >= idleTtl);
  }

  private void expire(int recipient) {
    Mailbox mailbox = mailboxes.get(recipient);
    if (mailbox != null) {
      int before = mailbox.messages.size();
      mailbox.messages.removeIf(
          message ->
              !message.equals(mailbox.beingWritten) && now - message.arrived() >= messageTtl);
      evicted += before - mailbox.messages.size();
    }
  }

  private boolean isIdle(int recipient) {
    return requireNonNull(mailboxes.get(recipient)).messages.isEmpty()
        && waitingFor(recipient) == 0;
  }

  private boolean dropIdle() {
    Optional<Integer> oldest =
        mailboxes.keySet().stream()
            .filter(this::isIdle)
            .min(
                Comparator.comparingLong(
                    recipient -> requireNonNull(mailboxes.get(recipient)).lastUsed));
    oldest.ifPresent(mailboxes::remove);
    return oldest.isPresent();
  }
}
