import type { NodeAddress } from '../base/node-address.js';
import { type Fields, listOf, objectOf, optional, required } from '../config/reader.js';
import { ipv4, oneOf, port } from '../config/values.js';
import { type AllowlistChanges, CORDON_CAUSES, type CordonedNode } from './allowlist-store.js';
import type { AddedNode } from './changes.js';
import { MAX_CHANGES } from './changes.js';

const node: Fields<NodeAddress> = { ip: required(ipv4), port: required(port) };
const addedNode: Fields<AddedNode> = { ...node, role: required(oneOf('full', 'archival')) };
const cordonedNode: Fields<CordonedNode> = { ...node, cause: required(oneOf(...CORDON_CAUSES)) };

/** Reads the changes in a file's form; throws Faults. */
export const readChanges = objectOf<AllowlistChanges>({
  added: required(listOf(objectOf(addedNode), MAX_CHANGES)),
  removed: required(listOf(objectOf(node), MAX_CHANGES)),
  cordoned: optional(listOf(objectOf(cordonedNode), MAX_CHANGES)),
});
