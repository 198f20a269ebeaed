package org.svcmailbox.bench;

import java.io.IOException;

/** Both sides of one connection in a closed loop. Characters of texts are bytes. */
interface Dialogue {
  /** The consequence of an answer. */
  enum Heard {
    /** More answers follow before it is the client's turn. */
    WAIT,
    /** The client's next request. */
    NEXT,
    /** As {@link #NEXT}; one more message has been posted and got. */
    MESSAGE
  }

  /** The client's next request. */
  String say();

  /**
   * Finds the end of the first answer.
   *
   * @param received everything since the last answer
   * @return how many characters it has; 0 if it is not complete
   */
  int end(String received);

  /**
   * Judges a complete answer.
   *
   * @throws IOException if it is not the expected one
   */
  Heard hear(String answer) throws IOException;
}
