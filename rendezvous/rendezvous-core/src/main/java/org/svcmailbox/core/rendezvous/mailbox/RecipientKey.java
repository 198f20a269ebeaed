package org.svcmailbox.core.rendezvous.mailbox;

import java.security.SecureRandom;
import java.util.HexFormat;
import org.svcmailbox.core.rendezvous.RecipientId;

/** A recipient with a salted hash, so that clients cannot choose recipients that collide. */
final class RecipientKey {
  static final class Salt {
    /** One random factor for each half of a word, and one to start with (Dietzfelbinger 1996). */
    private final long[] factors;

    Salt(SecureRandom random) {
      factors = random.longs(1 + 2 * WORDS).toArray();
    }

    RecipientKey of(RecipientId recipient) {
      return new RecipientKey(recipient.hex(), factors);
    }
  }

  private static final int WORDS = 4;
  private static final int WORD_DIGITS = 16;

  private final long first;
  private final long second;
  private final long third;
  private final long fourth;
  private final int hash;

  private RecipientKey(String hex, long[] factors) {
    first = word(hex, 0);
    second = word(hex, 1);
    third = word(hex, 2);
    fourth = word(hex, 3);
    long sum = factors[0];
    sum += mixed(first, factors[1], factors[2]) + mixed(second, factors[3], factors[4]);
    sum += mixed(third, factors[5], factors[6]) + mixed(fourth, factors[7], factors[8]);
    hash = (int) (sum >>> Integer.SIZE);
  }

  private static long word(String hex, int index) {
    int from = index * WORD_DIGITS;
    return HexFormat.fromHexDigitsToLong(hex, from, from + WORD_DIGITS);
  }

  private static long mixed(long word, long high, long low) {
    return (word >>> Integer.SIZE) * high + (word & 0xffffffffL) * low;
  }

  /** The group of this recipient among {@code 2^bits}. */
  int group(int bits) {
    return hash >>> (Integer.SIZE - bits);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof RecipientKey that
        && first == that.first
        && second == that.second
        && third == that.third
        && fourth == that.fourth;
  }

  @Override
  public int hashCode() {
    return hash;
  }
}
