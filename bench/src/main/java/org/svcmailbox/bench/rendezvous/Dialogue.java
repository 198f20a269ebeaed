package org.svcmailbox.bench.rendezvous;

import java.io.IOException;

/** The client of one connection in a closed loop; each character of a text is a byte. */
interface Dialogue {
  /** The consequence of an answer. */
  enum Heard {
    /** More answers to the same request. */
    WAIT,
    /** The client's next request. */
    NEXT,
    /** The next request; one more message was posted and got. */
    MESSAGE
  }

  /** The client's next request. */
  String say();

  /**
   * Length of the first answer, 0 if it is incomplete.
   *
   * @param received text since the previous answer
   */
  int end(String received);

  /**
   * Checks a complete answer.
   *
   * @throws IOException if it is not the expected one
   */
  Heard hear(String answer) throws IOException;
}
