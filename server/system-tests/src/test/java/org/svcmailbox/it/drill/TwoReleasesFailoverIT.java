package org.svcmailbox.it.drill;

import org.junit.jupiter.api.Tag;
import org.svcmailbox.it.server.BrokerPair;

/**
 * The drill with a pair of two releases, as in an upgrade or on the way back: each takeover is of a
 * store that the other release wrote.
 */
@Tag("alone")
@Tag("nightly")
class TwoReleasesFailoverIT extends BrokerFailover {
  TwoReleasesFailoverIT() {
    super("two-releases", BrokerPair.layOutTwoReleases("pair-of-two-releases"));
  }
}
