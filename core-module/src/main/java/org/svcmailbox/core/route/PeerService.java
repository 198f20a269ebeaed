package org.svcmailbox.core.route;

import java.util.List;
import java.util.concurrent.CompletionStage;

/** The calls of other nodes, for the endpoint that receives them. */
public interface PeerService {
  /**
   * Carries out the calls of a frame, each independently, in this process's mailbox. It never
   * blocks.
   *
   * @return completed before the peer gives up, see {@link PeerTransport#LONGEST}
   * @throws org.svcmailbox.core.problem.NotFoundException if this process is alone
   */
  CompletionStage<Answers> carryOut(List<ForwardedCall> calls);

  /**
   * Waits until one of some topics has messages here. It never blocks.
   *
   * @return those that have some; none if a newer question comes from the same node, or before the
   *     peer gives up
   * @throws org.svcmailbox.core.problem.NotFoundException if this process is alone
   */
  CompletionStage<List<ReadyKey>> ready(ReadyQuestion question);

  /** The answers of a frame. */
  interface Answers {
    /** Encodes the frame of answers, once; not on a worker's thread. */
    byte[] frame();

    /** Gives back the leases, because the frame did not leave. */
    void unsent();
  }
}
