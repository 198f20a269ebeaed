package org.svcmailbox.core.route;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.ReadyService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.problem.MailboxException;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.problem.SaturatedException;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.refusal.LoggedStack;
import org.svcmailbox.core.route.PeerAnswer.GivenBack;
import org.svcmailbox.core.route.PeerAnswer.Received;
import org.svcmailbox.core.route.PeerAnswer.Refused;
import org.svcmailbox.core.route.PeerAnswer.Sent;
import org.svcmailbox.core.route.PeerAnswer.Settled;
import org.svcmailbox.core.route.PeerAnswer.Thrown;
import org.svcmailbox.core.route.PeerAnswer.Unanswered;
import org.svcmailbox.core.route.PeerCall.GiveBack;
import org.svcmailbox.core.route.PeerCall.Recv;
import org.svcmailbox.core.route.PeerCall.Send;
import org.svcmailbox.core.route.PeerCall.Settle;
import org.svcmailbox.core.time.Ticker;

/**
 * Carries out the calls of other nodes in this process's mailbox, which forwards none of them. Each
 * client is authenticated by its own token. Any thread.
 */
public final class PeerCalls implements PeerService {
  /** Calls that take longer have no answer in their frame; less than the peer waits for it. */
  static final Duration LONGEST = PeerTransport.LONGEST.minusSeconds(1);

  private static final Logger LOG = System.getLogger(PeerCalls.class.getName());
  private static final Duration SOON = Duration.ofSeconds(1);

  private final MailboxService local;
  private final Clients clients;
  private final AnsweredRecvs recvs;
  private final ReadyAnswers ready;

  /** Authenticates the clients of other nodes. */
  public interface Clients {
    /**
     * The holder of a token; counts no rate.
     *
     * @throws DeniedException if it is no capability of this service
     */
    Caller holder(BearerToken token, @Nullable InetAddress client);
  }

  /**
   * @param local the mailbox of this process
   * @param ready says when it has messages
   */
  public PeerCalls(MailboxService local, ReadyService ready, Clients clients, Ticker ticker) {
    this.local = local;
    this.clients = clients;
    this.recvs = new AnsweredRecvs(ticker);
    this.ready = new ReadyAnswers(ready, ticker);
  }

  @Override
  public CompletionStage<List<ReadyKey>> ready(ReadyQuestion question) {
    return ready.answer(question);
  }

  @Override
  public CompletionStage<Answers> carryOut(List<ForwardedCall> calls) {
    long recvCalls = calls.stream().filter(call -> call.call() instanceof Recv).count();
    long share = PeerCodec.FULL / Math.max(1, recvCalls);
    List<Begun> begun = calls.stream().map(call -> begin(call, share)).toList();
    return CompletableFuture.allOf(
            begun.stream().map(Begun::answer).toArray(CompletableFuture[]::new))
        .thenApply(all -> answers(begun));
  }

  /**
   * A call and its answer.
   *
   * @param recv the local call of a RECV
   */
  private record Begun(
      CompletableFuture<PeerAnswer> answer, @Nullable RecvId id, @Nullable PendingRecv recv) {
    static Begun of(CompletionStage<PeerAnswer> answer) {
      return new Begun(bounded(answer), null, null);
    }

    void abandon() {
      if (recv != null) {
        recv.abandon();
      }
    }
  }

  private static CompletableFuture<PeerAnswer> bounded(CompletionStage<PeerAnswer> answer) {
    return answer
        .toCompletableFuture()
        .copy()
        .completeOnTimeout(new Unanswered(), LONGEST.toNanos(), TimeUnit.NANOSECONDS)
        .exceptionally(PeerCalls::thrown);
  }

  private Begun begin(ForwardedCall call, long share) {
    try {
      if (call.call() instanceof GiveBack giveBack) {
        recvs.giveBack(giveBack.id());
        return Begun.of(CompletableFuture.completedFuture(new GivenBack()));
      }
      return begin(clients.holder(call.token(), call.client()), call.call(), share);
    } catch (RuntimeException e) {
      return Begun.of(CompletableFuture.failedFuture(e));
    }
  }

  private Begun begin(Caller caller, PeerCall call, long share) {
    if (call instanceof PeerCall.Ask) {
      throw new SchemaException("body", "a question about groups travels alone");
    }
    if (call instanceof Send send) {
      return Begun.of(
          local
              .send(caller, send.request())
              .thenApply(
                  outcome ->
                      outcome instanceof Refusal refusal
                          ? new Refused(refusal)
                          : new Sent(outcome)));
    }
    if (call instanceof Settle settle) {
      return Begun.of(
          local
              .settle(caller, settle.request())
              .thenApply(
                  outcome ->
                      outcome instanceof Refusal refusal
                          ? new Refused(refusal)
                          : new Settled(outcome)));
    }
    return begin(caller, (Recv) call, share);
  }

  private Begun begin(Caller caller, Recv recv, long share) {
    RecvRequest asked = recv.request();
    PendingRecv pending =
        local.recv(
            caller,
            new RecvRequest(
                asked.topic(),
                asked.visibility(),
                asked.maxMessages(),
                Math.min(asked.maxBytes(), share),
                Duration.ZERO,
                asked.shard()));
    return new Begun(bounded(pending.outcome().thenApply(PeerCalls::received)), recv.id(), pending);
  }

  private static PeerAnswer received(RecvOutcome outcome) {
    return outcome instanceof Refusal refusal
        ? new Refused(refusal)
        : new Received((Delivered) outcome);
  }

  /** The worker that ends the last call encodes nothing. */
  private Answers answers(List<Begun> begun) {
    return new Answers() {
      @Override
      public byte[] frame() {
        return encoded(begun);
      }

      @Override
      public void unsent() {
        begun.forEach(Begun::abandon);
      }
    };
  }

  private byte[] encoded(List<Begun> begun) {
    List<byte[]> encoded = new ArrayList<>();
    long size = 0;
    for (Begun one : begun) {
      PeerAnswer answer = kept(one, one.answer().join());
      byte[] bytes = PeerCodec.encode(answer);
      if (answer instanceof Received && size > 0 && size + bytes.length > PeerCodec.FULL) {
        // The peer asks again.
        one.abandon();
        bytes = PeerCodec.encode(new Received(Delivered.NONE));
      }
      size += bytes.length;
      encoded.add(bytes);
    }
    return PeerCodec.answerFrame(encoded);
  }

  /** The answer of a RECV is kept with its leases, unless these were given back meanwhile. */
  private PeerAnswer kept(Begun begun, PeerAnswer answer) {
    if (begun.id() == null || begun.recv() == null) {
      return answer;
    }
    if (answer instanceof Unanswered) {
      begun.abandon();
    } else if (answer instanceof Received received && !received.outcome().messages().isEmpty()) {
      long payload =
          received.outcome().messages().stream()
              .mapToLong(leased -> leased.message().payload().size())
              .sum();
      if (!recvs.add(begun.id(), begun.recv(), payload)) {
        begun.abandon();
        return new Received(Delivered.NONE);
      }
    }
    return answer;
  }

  /** The answer for an exception. */
  static PeerAnswer thrown(Throwable failure) {
    Throwable thrown = Router.unwrapped(failure);
    if (thrown instanceof SchemaException schema) {
      return new Thrown(schema.problem(), detail(schema), schema.violations());
    }
    if (thrown instanceof DeniedException denied) {
      return refused(denied, denied.reason(), SOON);
    }
    if (thrown instanceof SaturatedException saturated) {
      return refused(saturated, saturated.reason(), saturated.retryAfter());
    }
    if (thrown instanceof MailboxException other) {
      return switch (other.problem()) {
        case E_NOT_FOUND -> new Thrown(other.problem(), detail(other), List.of());
        default -> refused(other, word(other), SOON);
      };
    }
    LOG.log(Level.ERROR, "A call of another node failed", LoggedStack.of(thrown));
    return new Thrown(Problem.E_INTERNAL, "its log has the failure", List.of());
  }

  private static Refused refused(MailboxException thrown, String reason, Duration retry) {
    Duration retryAfter = thrown.problem().retryable() ? retry : null;
    return new Refused(new Refusal(thrown.problem(), reason, detail(thrown), retryAfter));
  }

  private static String detail(MailboxException thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.problem().title() : message;
  }

  /** Such as {@code frame_too_large}. */
  private static String word(MailboxException thrown) {
    return thrown.problem().name().substring("E_".length()).toLowerCase(Locale.ROOT);
  }
}
