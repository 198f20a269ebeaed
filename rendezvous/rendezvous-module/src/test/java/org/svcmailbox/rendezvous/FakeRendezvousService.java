package org.svcmailbox.rendezvous;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.IpRange;
import org.svcmailbox.core.capability.BodyOwners;
import org.svcmailbox.core.rendezvous.Access;
import org.svcmailbox.core.rendezvous.AccessAnswer;
import org.svcmailbox.core.rendezvous.AccessRequest;
import org.svcmailbox.core.rendezvous.DoorSettings;
import org.svcmailbox.core.rendezvous.GetOutcome;
import org.svcmailbox.core.rendezvous.Handover;
import org.svcmailbox.core.rendezvous.PostOutcome;
import org.svcmailbox.core.rendezvous.RecipientId;
import org.svcmailbox.core.rendezvous.RendezvousService;
import org.svcmailbox.core.rendezvous.Right;

/** A core with one mailbox whose outcomes a test sets. */
final class FakeRendezvousService implements RendezvousService {
  static final int MAX_MESSAGE = 1_000;
  static final AccessAnswer GRANTED = new AccessAnswer.Granted(new Access(null, () -> true));
  static final Duration RETRY_AFTER = Duration.ofMillis(2_001);

  final Queue<byte[]> posted = new ConcurrentLinkedQueue<>();
  final List<AccessRequest> knocks = new CopyOnWriteArrayList<>();
  final List<Waiter> waiters = new CopyOnWriteArrayList<>();
  final List<String> responses = new CopyOnWriteArrayList<>();
  final List<String> settled = new CopyOnWriteArrayList<>();

  volatile boolean isOff;
  volatile boolean isFailing;
  volatile AccessAnswer answer = GRANTED;
  volatile PostOutcome postOutcome = PostOutcome.STORED;
  volatile @Nullable GetOutcome getOutcome;
  volatile Health health = Health.HEALTHY;
  volatile int connections = -1;
  volatile List<String> origins = List.of("https://app.example");
  volatile List<IpRange> proxies = List.of();
  volatile List<IpRange> metricsFrom = List.of(IpRange.parse("127.0.0.0/8").orElseThrow());
  volatile String forwardedHeader = "X-Forwarded-For";

  /** A waiting GET. */
  record Waiter(Duration time, Consumer<GetOutcome> receiver, List<String> events) {
    boolean isAbandoned() {
      return events.contains("abandoned");
    }
  }

  /** A message that is being handed over. */
  Handover handover(byte[] body, long sequence, int remaining) {
    return new Handover() {
      @Override
      public byte[] body() {
        return body;
      }

      @Override
      public long sequence() {
        return sequence;
      }

      @Override
      public int remaining() {
        return remaining;
      }

      @Override
      public void written() {
        settled.add("written");
      }

      @Override
      public void failed() {
        settled.add("failed");
      }
    };
  }

  @Override
  public Optional<DoorSettings> settings() {
    return isOff
        ? Optional.empty()
        : Optional.of(
            new DoorSettings(
                MAX_MESSAGE,
                100,
                origins,
                metricsFrom,
                proxies,
                forwardedHeader,
                Duration.ofSeconds(5)));
  }

  @Override
  public AccessAnswer admit(AccessRequest request) {
    knocks.add(request);
    if (isFailing) {
      throw new IllegalStateException("as the test wants it");
    }
    return answer;
  }

  /** The address of the last call. */
  String caller() {
    InetAddress address = knocks.get(knocks.size() - 1).address();
    return address == null ? "" : address.getHostAddress();
  }

  @Override
  public BodyOwners bodyOwners(RecipientId recipient) {
    return new BodyOwners() {
      @Override
      public @Nullable String known(@Nullable String token) {
        return "good".equals(token) ? recipient.hex() : null;
      }

      @Override
      public @Nullable String find(@Nullable String token) {
        return "late".equals(token) ? recipient.hex() : known(token);
      }
    };
  }

  @Override
  public PostOutcome post(Access access, RecipientId recipient, byte[] body) {
    if (postOutcome == PostOutcome.STORED) {
      posted.add(body);
    }
    return postOutcome;
  }

  @Override
  public Runnable get(
      Access access, RecipientId recipient, Duration wait, Consumer<GetOutcome> receiver) {
    Waiter waiter = new Waiter(wait, receiver, new CopyOnWriteArrayList<>());
    GetOutcome chosen = getOutcome;
    if (chosen != null) {
      receiver.accept(chosen);
    } else if (wait.isZero()) {
      byte[] next = posted.poll();
      receiver.accept(
          next == null
              ? new GetOutcome.Empty()
              : new GetOutcome.Found(handover(next, 7, posted.size())));
    } else {
      waiters.add(waiter);
    }
    return () -> waiter.events().add("abandoned");
  }

  @Override
  public Duration retryAfter() {
    return RETRY_AFTER;
  }

  @Override
  public void connections(int open) {
    connections = open;
  }

  @Override
  public Health health() {
    return health;
  }

  @Override
  public void answered(Right right, int status, Duration took) {
    responses.add(right + " " + status);
  }

  @Override
  public String metrics() {
    return "active_mailboxes 1\n";
  }
}
