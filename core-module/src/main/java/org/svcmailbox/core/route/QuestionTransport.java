package org.svcmailbox.core.route;

import java.net.URI;
import java.util.concurrent.CompletionStage;

/** Carries questions of one kind to other nodes. */
public interface QuestionTransport {
  /**
   * Sends a question, once. It never blocks.
   *
   * @return the answer. It fails with {@link PeerTransport.NotSentException} if the peer did not
   *     begin; after any other failure it may have done all that it was asked for
   */
  CompletionStage<byte[]> send(URI peer, byte[] question);
}
