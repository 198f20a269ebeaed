/**
 * Which node should have which group of routing slots, as pure rules. A wrong or old answer costs
 * time, never a message: only the broker decides who has a group's log (docs/adr/0128).
 */
@NullMarked
package org.svcmailbox.core.cluster;

import org.jspecify.annotations.NullMarked;
