/**
 * Which nodes live, and which of them should have which group of routing slots (docs/adr/0148). A
 * wrong or old answer costs time, never a message: only the broker decides who has a group's log
 * (docs/adr/0128).
 */
@NullMarked
package org.svcmailbox.core.cluster;

import org.jspecify.annotations.NullMarked;
