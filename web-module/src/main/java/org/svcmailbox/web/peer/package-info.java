/**
 * The calls of other nodes (docs/adr/0150). They are no part of the API: a balancer must not pass
 * them on. Invariant: nothing in a request is believed before its capability is a node's.
 */
@NullMarked
package org.svcmailbox.web.peer;

import org.jspecify.annotations.NullMarked;
