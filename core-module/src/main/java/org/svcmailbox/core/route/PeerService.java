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

  /** The answers of a frame. */
  interface Answers {
    /** Encodes the frame of answers, once; not on a worker's thread. */
    byte[] frame();

    /** Gives back the leases, because the frame did not leave. */
    void unsent();
  }
}
