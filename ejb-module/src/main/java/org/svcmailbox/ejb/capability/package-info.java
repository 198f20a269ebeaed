/**
 * Capabilities in the server. Invariant: a root key's secret leaves the database for memory only.
 */
@NullMarked
package org.svcmailbox.ejb.capability;

import org.jspecify.annotations.NullMarked;
