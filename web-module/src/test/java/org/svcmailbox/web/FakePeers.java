package org.svcmailbox.web;

import java.net.InetAddress;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.BearerToken;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.DeniedException;
import org.svcmailbox.core.capability.PeerCapabilities;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.route.CountsAnswer;
import org.svcmailbox.core.route.CountsQuestion;
import org.svcmailbox.core.route.ForwardedCall;
import org.svcmailbox.core.route.GroupResult;
import org.svcmailbox.core.route.PeerAnswer;
import org.svcmailbox.core.route.PeerQuestions;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.core.route.ReadyKey;
import org.svcmailbox.core.route.ReadyQuestion;

/** The other nodes: their token is {@code node}, and their calls wait for an answer. */
public final class FakePeers implements PeerCapabilities, PeerService, PeerQuestions {
  public final BlockingQueue<List<ForwardedCall>> frames = new LinkedBlockingQueue<>();
  public final CompletableFuture<Answers> answers = new CompletableFuture<>();
  public final BlockingQueue<ReadyQuestion> questions = new LinkedBlockingQueue<>();
  public final CompletableFuture<List<ReadyKey>> ready = new CompletableFuture<>();
  volatile boolean isAlone;
  public final CountDownLatch unsent = new CountDownLatch(1);

  @Override
  public BearerToken peerToken() {
    throw new UnsupportedOperationException("no call leaves here");
  }

  /** Throws {@link DeniedException} for other tokens. */
  @Override
  public void requirePeer(@Nullable String token, @Nullable InetAddress address) {
    if (!"node".equals(token)) {
      new SampleCallers().caller(1, "ops = recv").require(Operation.SEND, null);
    }
  }

  @Override
  public Caller authenticateForwarded(BearerToken token, @Nullable InetAddress client) {
    throw new UnsupportedOperationException("no call is carried out here");
  }

  @Override
  public CompletionStage<Answers> carryOut(List<ForwardedCall> calls) {
    if (isAlone) {
      throw new NotFoundException("this server is alone");
    }
    frames.add(calls);
    return answers;
  }

  @Override
  public CountsAnswer counts(CountsQuestion question) {
    return new CountsAnswer(question.life(), question.since() + 1, true, Set.of(3), List.of());
  }

  @Override
  public PeerAnswer answer(ForwardedCall question) {
    frames.add(List.of(question));
    return new PeerAnswer.Told(GroupResult.counted(Set.of(3), 5, false));
  }

  @Override
  public CompletionStage<List<ReadyKey>> ready(ReadyQuestion question) {
    if (isAlone) {
      throw new NotFoundException("this server is alone");
    }
    questions.add(question);
    return ready;
  }

  /** Answers with these bytes. */
  public void answer(byte[] frame) {
    answers.complete(
        new Answers() {
          @Override
          public byte[] frame() {
            return frame;
          }

          @Override
          public void unsent() {
            unsent.countDown();
          }
        });
  }
}
