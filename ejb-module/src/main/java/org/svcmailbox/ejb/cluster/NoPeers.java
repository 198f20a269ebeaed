package org.svcmailbox.ejb.cluster;

import java.util.List;
import java.util.concurrent.CompletionStage;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.route.CountsAnswer;
import org.svcmailbox.core.route.CountsQuestion;
import org.svcmailbox.core.route.ForwardedCall;
import org.svcmailbox.core.route.PeerAnswer;
import org.svcmailbox.core.route.PeerQuestions;
import org.svcmailbox.core.route.PeerService;
import org.svcmailbox.core.route.ReadyKey;
import org.svcmailbox.core.route.ReadyQuestion;

/** The calls of other nodes at a server that is alone: refused. */
public final class NoPeers implements PeerService, PeerQuestions {
  @Override
  public CompletionStage<Answers> carryOut(List<ForwardedCall> calls) {
    throw alone();
  }

  @Override
  public CompletionStage<List<ReadyKey>> ready(ReadyQuestion question) {
    throw alone();
  }

  @Override
  public CountsAnswer counts(CountsQuestion question) {
    throw alone();
  }

  @Override
  public PeerAnswer answer(ForwardedCall question) {
    throw alone();
  }

  private static NotFoundException alone() {
    return new NotFoundException("this server is no node of a cluster");
  }
}
